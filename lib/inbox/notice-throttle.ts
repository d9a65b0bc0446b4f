type Totals = { questions: number; declarations: number }

const LEAST_MS = 60_000

/** Answers how many leads came since the tab was hidden or since the last notice, at most once a minute. */
export function createNoticeThrottle(): (now: Totals, isHidden: boolean, atMs: number) => Totals | null {
  let known: Totals | null = null
  let toldAt = -Infinity
  return (now, isHidden, atMs) => {
    if (!isHidden || known === null) {
      known = now
      return null
    }
    const news = {
      questions: Math.max(0, now.questions - known.questions),
      declarations: Math.max(0, now.declarations - known.declarations),
    }
    if (news.questions + news.declarations === 0 || atMs - toldAt < LEAST_MS) return null
    known = now
    toldAt = atMs
    return news
  }
}
