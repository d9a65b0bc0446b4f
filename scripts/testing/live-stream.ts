type StreamOptions = { cookie: string; signal: AbortSignal; onEvent: (name: string, data?: string) => void }

/** Follows a stream of server-sent events to its end. Rejects when it breaks, or is aborted. */
export async function followStream(origin: string, { cookie, signal, onEvent }: StreamOptions): Promise<Response> {
  const response = await fetch(`${origin}/api/events`, { headers: { cookie }, signal })
  if (!response.ok || response.body === null) return response
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const [name, data] = ['event', 'data'].map((field) => new RegExp(`^${field}: (.*)$`, 'm').exec(event)?.[1])
      if (name !== undefined) onEvent(name, data)
    }
  }
  return response
}
