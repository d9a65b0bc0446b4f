import { useLocale, useTranslations } from 'next-intl'
import { useToday } from '@/components/browser/clock'
import { useCurrentUser } from '@/components/desk/current-user'
import { Notice } from '@/components/ui/notice'
import type { LeadItem } from '@/lib/api/leads'
import { dayAndTime } from '@/lib/time/format-time'

/**
 * Says that somebody else has answered while one was writing. `seen` is the last attempt when the writing began; undefined while
 * nothing is written.
 */
export function Meanwhile({ item, seen }: { item: LeadItem; seen: string | null | undefined }) {
  const text = useMeanwhile(item, seen)
  // There before anything is said, so that it is read aloud.
  return (
    <div role="status" className="contents">
      {text !== null && <Notice className="mb-2.5">{text}</Notice>}
    </div>
  )
}

function useMeanwhile({ attempts: { last }, triage }: LeadItem, seen: string | null | undefined): string | null {
  const t = useTranslations('reply.meanwhile')
  const locale = useLocale()
  const today = useToday()
  const me = useCurrentUser()
  if (seen === undefined) return null
  if (last !== null && last.at !== seen && last.by?.id !== me?.id) {
    const name = last.by?.name ?? t('colleague')
    const when = dayAndTime(Date.parse(last.at), today, locale)
    return t(last.channel === 'phone' ? 'talked' : 'mailed', { name, when })
  }
  return triage.status === 'handled' || triage.status === 'dismissed' ? t('handled') : null
}
