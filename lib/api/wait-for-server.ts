import type { QueryClient } from '@tanstack/react-query'

const SERVER_KEY = ['server']

/**
 * Requests `/api/health`, and again every three seconds, at most forty times. Returns true if the server answers while
 * the user is on the same page. At the first failure `onFailure` gets a function that ends this, as the next call does.
 */
export async function waitForServer(client: QueryClient, onFailure: (cancel: () => void) => void): Promise<boolean> {
  const startHref = location.href
  // Without `revert: false` a cancelled wait would end with the answer of an earlier one.
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
      return failures < 40
    },
  })
  return reached.then(
    () => location.href === startHref,
    () => false,
  )
}
