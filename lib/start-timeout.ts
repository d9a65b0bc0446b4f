/** Runs a function after a delay, and returns a function that cancels it. */
export function startTimeout(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}
