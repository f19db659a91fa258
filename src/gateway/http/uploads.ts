/** The progress of a file upload, which may take longer than other requests. */
export interface Upload {
  /** Bytes. */
  received: number;
  /** Milliseconds for which the service has waited for the client. */
  waited: number;
  /** When it began to wait (`performance.now`); `undefined` while it works on what has arrived. */
  waitsSince: number | undefined;
}

/** Uploads by request: routes record them, and the server's time limits read them. */
const uploads = new WeakMap<object, Upload>();

/** @param incoming absent in tests that call the app directly */
export const beginUpload = (incoming: object | undefined): Upload => {
  const upload: Upload = { received: 0, waited: 0, waitsSince: undefined };
  if (incoming) uploads.set(incoming, upload);
  return upload;
};

/** @returns `undefined` where a request is not an upload */
export const uploadOf = (incoming: object): Upload | undefined => uploads.get(incoming);
