'use client'

import { useTranslations } from 'next-intl'
import { LazyArea } from '@/components/shell/lazy-area'
import { Avatar } from '@/components/ui/avatar'
import type { LeadRef } from '@/lib/contract/lead'
import type { PresenceAnswer } from '@/lib/contract/presence'
import { usePresence } from './use-presence'

const MOST_FACES = 3

/** Who else has the lead open right now, so that two do not answer the same person. */
export function Presence({ lead, isThere }: { lead: LeadRef; isThere: boolean }) {
  const others = usePresence(lead, isThere)
  return (
    // There before anybody comes, so that a screen reader is told when somebody does.
    <span role="status" className="flex min-w-0 items-center">
      <LazyArea area="contact">
        <Others others={others} />
      </LazyArea>
    </span>
  )
}

function Others({ others }: PresenceAnswer) {
  const t = useTranslations('contact.presence')
  const [first, second] = others
  if (first === undefined) return null
  const count = others.length
  const words = t('also', { count, name: first.name, second: second?.name ?? '', more: count - 1 })
  return (
    <span className="flex min-w-0 animate-appear items-center gap-1.5 text-xs text-mute" title={words}>
      <span className="flex -space-x-1.5">
        {others.slice(0, MOST_FACES).map(({ id, name }) => (
          <span key={id} className="inline-flex rounded-full ring-2 ring-panel">
            <Avatar name={name} />
          </span>
        ))}
      </span>
      <span className="sr-only truncate @3xl:not-sr-only @3xl:truncate">{words}</span>
    </span>
  )
}
