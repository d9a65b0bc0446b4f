const TRY_EVERY_MS = 3_000
const LONGEST_MS = 2 * 60_000

type Waiting = {
  ask: () => Promise<boolean>
  pause: (ms: number) => Promise<void>
  isWanted: () => boolean
  onCut: () => void
}

/** Waits up to two minutes; true if the server is there and still wanted. */
export async function untilReached({ ask, pause, isWanted, onCut }: Waiting): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= LONGEST_MS; waitedMs += TRY_EVERY_MS) {
    const isThere = await ask()
    if (!isWanted()) return false
    if (isThere) return true
    if (waitedMs === 0) onCut()
    await pause(TRY_EVERY_MS)
    if (!isWanted()) return false
  }
  return false
}

const ASK_MS = 4_000

/** An error page of a proxy does not count. */
async function isServerThere(): Promise<boolean> {
  try {
    const answer = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(ASK_MS) })
    return answer.headers.get('content-type')?.includes('json') ?? false
  } catch {
    return false
  }
}

let goals = 0

export function newGoal() {
  const own = ++goals
  const from = location.href
  return {
    forget: () => void goals++,
    isReached: (onCut: () => void): Promise<boolean> =>
      untilReached({
        ask: isServerThere,
        pause: untilOnline,
        isWanted: () => own === goals && location.href === from,
        onCut,
      }),
  }
}

function untilOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
  })
}
