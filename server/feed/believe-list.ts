import 'server-only'
import type { BelievedList } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed } from '@/server/access/viewer'
import { NotFoundError } from '@/server/errors'
import type { Announcer } from '@/server/events/announcer'
import type { Feed } from './feed'

type Parts = CommandParts & {
  feed: Pick<Feed, 'askedQuestions' | 'declarations' | 'highSchools'>
  announcer: Pick<Announcer, 'believed'>
}

/**
 * The administrator agrees that a list is as small as the service says. Every instance believes what is sent next, if it
 * has at least so many records, and it is asked for at once. NotFoundError where nothing is held back.
 */
export async function believeList(parts: Parts, viewer: Allowed<'admin'>, list: FeedList): Promise<BelievedList> {
  const { feed, announcer } = parts
  const states = {
    'asked-questions': feed.askedQuestions,
    'declarations-of-interest': feed.declarations,
    'high-schools': feed.highSchools,
  }
  const believed = await command(parts, viewer, 'admin', async (_tx, log) => {
    const doubt = states[list]().problem?.doubt
    if (!doubt) throw new NotFoundError()
    const { before, now } = doubt
    await log({ action: 'list-believed', details: { list, before, now } })
    return { list, before, now }
  })
  announcer.believed(list, believed.now)
  return believed
}
