/** How far a body has come that may take longer than other requests: a file. */
export interface Upload {
  /** Bytes. */
  received: number;
  /** Milliseconds for which the service has waited for the client. */
  waited: number;
  /** Since when it waits, by `performance.now`; `undefined` while it works on what has arrived. */
  waitsSince: number | undefined;
}

/** What routes know of a request's body, and the server needs for its limits of time. */
const uploads = new WeakMap<object, Upload>();

/** @param incoming absent in tests that call the app directly */
export const beginUpload = (incoming: object | undefined): Upload => {
  const upload: Upload = { received: 0, waited: 0, waitsSince: undefined };
  if (incoming) uploads.set(incoming, upload);
  return upload;
};

/** @returns `undefined` where a request is no upload */
export const uploadOf = (incoming: object): Upload | undefined => uploads.get(incoming);
