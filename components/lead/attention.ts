/** The part of `document` that is used. */
type Page = { readonly hidden: boolean; addEventListener: (type: 'visibilitychange', listener: () => void) => void }

/** Long enough to write an answer in another window. */
const AWAY_AFTER_MS = 3 * 60_000

/** Whether the page has been out of sight for so long that nobody can be said to read it. */
export function createAttention({ now, page }: { now: () => number; page: Page | null }): { isAway: () => boolean } {
  let hiddenSince: number | null = null
  const look = () => {
    hiddenSince = page?.hidden ? (hiddenSince ?? now()) : null
  }
  look()
  page?.addEventListener('visibilitychange', look)
  return { isAway: () => hiddenSince !== null && now() - hiddenSince >= AWAY_AFTER_MS }
}
