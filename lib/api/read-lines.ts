/** The lines of a streamed answer, each as soon as it is there. */
export async function* readLines({ body }: Pick<Response, 'body'>): AsyncGenerator<string> {
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') yield line
      if (done) break
    }
    if (rest.trim() !== '') yield rest
  } finally {
    reader.releaseLock()
  }
}
