import { ApiError, kindOfStatus } from './api-error'

/** What the root of the app listens for to send the person to sign in again. */
export const SESSION_LOST = 'intag:session-lost'

export type RequestOptions<T> = {
  /** Makes the answer ours; throws when it is not what the contract says. */
  read: (body: unknown) => T
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  signal?: AbortSignal
}

/** One request to our own API; every failure but an abort is an `ApiError`. */
export async function request<T>(path: string, { read, method = 'GET', body, signal }: RequestOptions<T>): Promise<T> {
  const response = await send(path, {
    method,
    cache: 'no-store',
    credentials: 'same-origin',
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (!response.ok) throw failure(response)
  return read(await json(response))
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    throw new ApiError('offline', 0)
  }
}

function failure(response: Response): ApiError {
  if (response.status === 401) globalThis.dispatchEvent?.(new Event(SESSION_LOST))
  const seconds = Number(response.headers.get('retry-after'))
  return new ApiError(kindOfStatus(response.status), response.status, seconds > 0 ? seconds * 1000 : null)
}

async function json(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('unreadable', response.status)
  }
}
