'use client'

import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { DeskLink } from '@/components/desk/navigate'
import { Notice } from '@/components/ui/notice'
import { apiQuery } from '@/lib/api/call'
import { stockholmDay } from '@/lib/time/stockholm'
import { fullTime } from '@/lib/time/format-date'

const MAX_NAMED = 3
const unusualQuery = { ...apiQuery('GET /api/reading/unusual'), refetchInterval: 5_000, refetchOnWindowFocus: true }

export function UnusualBanner() {
  const t = useTranslations('reading.banner')
  const locale = useLocale()
  const hours = useQuery(unusualQuery).data?.hours ?? []
  const people = new Set(hours.map(({ user }) => user.id)).size
  const unanswered = hours.filter(({ reason }) => reason === null).length
  return (
    <div role="status" className="contents">
      {people > 0 && (
        <div className="shrink-0 px-4 pt-4 desk:px-5">
          <Notice size="banner" tone={unanswered > 0 ? 'warn' : 'plain'} className="flex gap-3">
            <Eye className="mt-0.5 size-4.5 shrink-0" />
            <div className="min-w-0">
              <p>
                <strong className="font-semibold">{t('title', { count: people })}</strong>{' '}
                {unanswered > 0 ? t('unanswered', { count: unanswered }) : t('allAnswered')}
              </p>
              <ul className="mt-1 flex flex-wrap gap-x-4">
                {hours.slice(0, MAX_NAMED).map(({ user: { id, name }, hour }) => (
                  <li key={`${id} ${hour}`}>
                    <DeskLink
                      href={readingOf(id, hour)}
                      className="inline-flex min-h-6 items-center underline underline-offset-3"
                    >
                      {t('who', { name, time: fullTime(Date.parse(hour), locale) })}
                    </DeskLink>
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

function readingOf(user: string, hour: string): string {
  const day = stockholmDay(Date.parse(hour))
  return `/admin/activity/person?${new URLSearchParams({ user, from: day, to: day })}`
}
