import 'server-only'
import type { Feed } from '@/server/feed/feed'
import type { ListState } from '@/server/feed/list-state'
import type { FeedFigures } from './create-metrics'

/** What the metrics tell of each list, at the moment `now` (ms). */
export function feedFigures(feed: Feed, now: number): FeedFigures[] {
  const figures = (
    list: string,
    { fetchedAt, problem, unreadable }: ListState<unknown>,
    records: number | undefined,
  ) => ({
    list,
    records: records ?? 0,
    unreadable,
    ageSeconds: fetchedAt === null ? null : (now - fetchedAt) / 1000,
    failing: problem !== null,
  })
  const [questions, declarations, schools] = [feed.askedQuestions(), feed.declarations(), feed.highSchools()]
  return [
    figures('asked-questions', questions, questions.content?.table.size),
    figures('declarations-of-interest', declarations, declarations.content?.table.size),
    figures('high-schools', schools, schools.content?.highSchools.length),
  ]
}
