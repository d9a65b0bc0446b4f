import 'server-only'
import type { UpstreamClient } from '@/server/upstream/client'
import { highSchoolsAttempt, highSchoolsSource, leadAttempt, leadSource } from './attempts'
import type { FeedOptions } from './feed'
import type { Share } from './share'
import { sharedAttempt } from './shared-attempt'

type Parts = {
  client: Pick<UpstreamClient, 'fetchList'>
  /** Null for an instance that is alone. */
  share: Share | null
  now: () => number
  yieldTurn: () => Promise<void>
}

/** How the three lists are fetched: for this process alone, or by turns with the other instances. */
export function feedAttempts({ client, share, now, yieldTurn }: Parts): FeedOptions['attempts'] {
  if (share === null) {
    return {
      askedQuestions: leadAttempt(client, 'asked-question', yieldTurn),
      declarations: leadAttempt(client, 'declaration-of-interest', yieldTurn),
      highSchools: highSchoolsAttempt(client),
    }
  }
  return {
    askedQuestions: sharedAttempt({ share, source: leadSource(client, 'asked-question', yieldTurn), now }),
    declarations: sharedAttempt({ share, source: leadSource(client, 'declaration-of-interest', yieldTurn), now }),
    highSchools: sharedAttempt({ share, source: highSchoolsSource(client), now }),
  }
}
