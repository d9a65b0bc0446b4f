import 'server-only'

type Ending = {
  /** Called once; the process exits when it resolves. `isHurried`: a person at a keyboard waits. */
  end: (isHurried: boolean) => Promise<void>
  exit?: (code: number) => void
  monotonic?: () => number
}

/** Ctrl-C arrives twice, from the terminal and from npm. */
const SAME_WISH_MS = 1_000

/** SIGTERM, SIGINT and the end of npm shut down in order; a second signal exits at once. */
export function endOnSignal({ end, exit = process.exit, monotonic = () => performance.now() }: Ending): void {
  let askedAt: number | null = null
  const ask = (isHurried: boolean) => {
    if (askedAt === null) {
      askedAt = monotonic()
      void end(isHurried).then(
        () => exit(0),
        () => exit(1),
      )
    } else if (monotonic() - askedAt >= SAME_WISH_MS) exit(1)
  }
  process.on('SIGTERM', () => ask(false))
  process.on('SIGINT', () => ask(true))
  endWithNpm(() => askedAt === null && ask(false))
}

const LOOK_MS = 500

/** A shell between npm and the server swallows npm's signals, and `kill -9` of npm sends none. */
export function endWithNpm(
  end: () => void,
  { parent = () => process.ppid, event = process.env.npm_lifecycle_event, lookMs = LOOK_MS } = {},
): void {
  if (event !== 'start') return
  const first = parent()
  const timer = setInterval(() => {
    if (parent() === first) return
    clearInterval(timer)
    end()
  }, lookMs).unref()
}
