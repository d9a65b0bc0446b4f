const RETRY_MS = 3_000
const MAX_WAIT_MS = 2 * 60_000

type Waiting = {
  isServerUp: () => Promise<boolean>
  pause: (ms: number) => Promise<void>
  isWanted: () => boolean
  onCut: () => void
}

/** Waits up to two minutes; true if the server is there and still wanted. */
export async function untilReached({ isServerUp, pause, isWanted, onCut }: Waiting): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= MAX_WAIT_MS; waitedMs += RETRY_MS) {
    const isUp = await isServerUp()
    if (!isWanted()) return false
    if (isUp) return true
    if (waitedMs === 0) onCut()
    await pause(RETRY_MS)
    if (!isWanted()) return false
  }
  return false
}

const TIMEOUT_MS = 4_000

let checks = 0

export function createReachCheck() {
  const id = ++checks
  const from = location.href
  return {
    cancel: () => void checks++,
    isReached: (onCut: () => void): Promise<boolean> =>
      untilReached({
        // An error page of a proxy does not count.
        isServerUp: async () => {
          const asking = fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
          const answer = await asking.catch(() => null)
          return answer?.headers.get('content-type')?.includes('json') ?? false
        },
        pause: (ms) =>
          new Promise<void>((resolve) => {
            setTimeout(resolve, ms)
            window.addEventListener('online', () => resolve(), { once: true })
          }),
        isWanted: () => id === checks && location.href === from,
        onCut,
      }),
  }
}
