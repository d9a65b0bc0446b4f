import type { QueryClient } from '@tanstack/react-query'

const SERVER_KEY = ['server']
const MAX_RETRIES = 40

/** Asks for two minutes, and returns false if nothing answers or the user leaves the page. `onFailure` may cancel. */
export async function waitForServer(client: QueryClient, onFailure: (cancel: () => void) => void): Promise<boolean> {
  const startHref = location.href
  // With the default, `revert`, a cancelled wait would end with the answer of an earlier one.
  const cancel = () => void client.cancelQueries({ queryKey: SERVER_KEY }, { revert: false })
  cancel()
  const reached = client.fetchQuery({
    queryKey: SERVER_KEY,
    queryFn: async () => {
      const answer = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(4_000) })
      // Only JSON counts, because a proxy may answer with an error page of its own.
      if (!answer.headers.get('content-type')?.includes('json')) throw new TypeError('another server has answered')
      return true
    },
    networkMode: 'always',
    retryDelay: 3_000,
    retry: (failures) => {
      if (failures === 0) onFailure(cancel)
      return failures < MAX_RETRIES
    },
  })
  return reached.then(
    () => location.href === startHref,
    () => false,
  )
}
