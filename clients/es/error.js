/** A request that was refused. Where there was no response at all, what `fetch` throws is thrown. */
export class CatalogueError extends Error {
    code;
    status;
    problem;
    /** How often the request was sent. */
    tries;
    constructor(problem, tries) {
        super(problem.detail || problem.title);
        this.name = new.target.name;
        this.code = problem.code;
        this.status = problem.status;
        this.problem = problem;
        this.tries = tries;
    }
}
export const isRefusal = (error, code) => error instanceof CatalogueError && error.code === code;
/** @returns the problem that a response tells of; of a response that is not the service's (a proxy's), one with a code such as `http-502` */
export const problemOf = async (response) => {
    const { status, statusText, headers } = response;
    const text = await response.text();
    if (headers.get('Content-Type')?.startsWith('application/problem+json'))
        return JSON.parse(text);
    return {
        ...{ type: 'about:blank', title: statusText, status, code: `http-${status}` },
        ...{ detail: text.slice(0, 200), requestId: headers.get('X-Request-Id') ?? '' },
    };
};
