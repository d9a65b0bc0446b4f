'use client'

import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { DeskLink } from '@/components/desk/go'
import { Notice } from '@/components/ui/notice'
import { apiQuery } from '@/lib/api/call'
import type { PersonsHour } from '@/lib/contract/reading'
import { stockholmDay } from '@/lib/time/stockholm'
import { fullTime } from '@/lib/time/format-date'

const MOST = 3
const unusualQuery = { ...apiQuery('GET /api/reading/unusual'), refetchInterval: 5_000, refetchOnWindowFocus: true }

/** Tells administrators on each of their screens who read more than usual in the last seven days; nothing while nobody did. */
export function UnusualBanner() {
  const t = useTranslations('reading.banner')
  const { data } = useQuery(unusualQuery)
  const hours = data?.hours ?? []
  const people = new Set(hours.map(({ user }) => user.id)).size
  const unanswered = hours.filter(({ reason }) => reason === null).length
  return (
    <div role="status" className="contents">
      {people > 0 && (
        <div className="shrink-0 px-4 pt-4 desk:px-5">
          <Notice size="banner" tone={unanswered > 0 ? 'warn' : 'plain'} className="flex gap-3">
            <Eye aria-hidden className="mt-0.5 size-4.5 shrink-0" />
            <div className="min-w-0">
              <p>
                <strong className="font-semibold">{t('title', { count: people })}</strong>{' '}
                {unanswered > 0 ? t('unanswered', { count: unanswered }) : t('allAnswered')}
              </p>
              <ul className="mt-1 flex flex-wrap gap-x-4">
                {hours.slice(0, MOST).map((hour) => (
                  <li key={`${hour.user.id} ${hour.hour}`}>
                    <PersonLink hour={hour} />
                  </li>
                ))}
              </ul>
            </div>
          </Notice>
        </div>
      )}
    </div>
  )
}

function PersonLink({ hour: { user, hour } }: { hour: PersonsHour }) {
  const t = useTranslations('reading.banner')
  const locale = useLocale()
  const at = Date.parse(hour)
  const day = stockholmDay(at)
  return (
    <DeskLink
      href={`/admin/activity/person?${new URLSearchParams({ user: user.id, from: day, to: day })}`}
      className="inline-flex min-h-6 items-center underline underline-offset-3"
    >
      {t('who', { name: user.name, time: fullTime(at, locale) })}
    </DeskLink>
  )
}
