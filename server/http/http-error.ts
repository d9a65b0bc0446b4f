import 'server-only'

/** What only HTTP can get wrong; everything else is one of `server/errors`. */
export class HttpError extends Error {
  override readonly name = 'HttpError'

  constructor(
    readonly status: 400 | 403 | 405 | 413 | 415,
    message: string,
  ) {
    super(message)
  }
}
