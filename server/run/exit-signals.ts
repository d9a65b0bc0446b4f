/** npm is looked for this often, because nothing reports the end of a parent process. */
const POLL_MS = 500
/** A signal that follows this soon is the same Ctrl-C, which arrives from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000

/**
 * Shuts down and exits, once, on SIGTERM, SIGINT or the end of npm. A second signal exits at once. `isHurried` is true
 * for SIGINT, because a person at a keyboard waits.
 */
export function shutDownOnSignal(
  shutDown: (options: { isHurried: boolean }) => Promise<void>,
  exit: (code: number) => void = process.exit,
  monotonic = () => performance.now(),
): void {
  let startedAt: number | null = null
  const onSignal = ({ isHurried = false } = {}) => {
    if (startedAt === null) {
      startedAt = monotonic()
      void shutDown({ isHurried }).then(
        () => exit(0),
        () => exit(1),
      )
    } else if (monotonic() - startedAt >= SAME_SIGNAL_MS) exit(1)
  }
  process.on('SIGTERM', () => onSignal())
  process.on('SIGINT', () => onSignal({ isHurried: true }))
  watchParentProcess(() => startedAt === null && onSignal())
}

/** Calls `onEnd` when npm, the parent, is gone: its shell swallows signals, and `kill -9` sends none. */
function watchParentProcess(onEnd: () => void): void {
  if (process.env.npm_lifecycle_event !== 'start') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onEnd()
  }, POLL_MS).unref()
}
