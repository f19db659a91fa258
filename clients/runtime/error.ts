/** What the service says of a request that it refuses (RFC 9457); its members have the same names in every language. */
export interface AnyProblem {
  readonly type: string;
  readonly title: string;
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly requestId: string;
}

/** A request that was refused. Where there was no response at all, what `fetch` throws is thrown. */
export class CatalogueError extends Error {
  readonly code: string;
  readonly status: number;
  readonly problem: AnyProblem;
  /** How often the request was sent. */
  readonly tries: number;

  constructor(problem: AnyProblem, tries: number) {
    super(problem.detail || problem.title);
    this.name = new.target.name;
    this.code = problem.code;
    this.status = problem.status;
    this.problem = problem;
    this.tries = tries;
  }
}

export const isRefusal = (error: unknown, code: string): error is CatalogueError =>
  error instanceof CatalogueError && error.code === code;

/** @returns the problem that a response tells of; of a response that is not the service's (a proxy's), one with a code such as `http-502` */
export const problemOf = async (response: Response): Promise<AnyProblem> => {
  const { status, statusText, headers } = response;
  const text = await response.text();
  if (headers.get('Content-Type')?.startsWith('application/problem+json')) return JSON.parse(text);
  return {
    ...{ type: 'about:blank', title: statusText, status, code: `http-${status}` },
    ...{ detail: text.slice(0, 200), requestId: headers.get('X-Request-Id') ?? '' },
  };
};
