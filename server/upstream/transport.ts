import 'server-only'

export type UpstreamRequest = { url: string; headers: Record<string, string>; signal: AbortSignal }

/**
 * Sends one GET and answers when its headers are there. The body comes decoded, without `content-encoding`; it fails
 * when it ends before it is whole. Follows no redirect, caches nothing, and rejects when the service cannot be reached.
 */
export type Transport = (request: UpstreamRequest) => Promise<Response>
