/** Where the clients that orval makes find the service; only a running one knows. */
export const origin = { url: '' };
