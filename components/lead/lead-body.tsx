'use client'

import { useTranslations } from 'next-intl'
import { useSchoolNames } from '@/components/inbox/use-school-names'
import { useToday } from '@/components/inbox/use-today'
import { Badge } from '@/components/ui/badge'
import type { LeadItem } from '@/lib/api/lead-page'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { LeadFacts } from './lead-facts'
import { LeadIds } from './lead-ids'

export function LeadBody({ item }: { item: LeadItem }) {
  const schools = useSchoolNames()
  return (
    <article className="max-w-180 px-5 py-6 desk:px-7">
      <h2 dir="auto" className="text-start text-xl font-semibold wrap-anywhere">
        <Heading item={item} />
      </h2>
      <div className="mt-1.5 mb-5 flex flex-wrap items-center gap-2 text-mute">
        <KindTag item={item} />
        <span className="wrap-anywhere">{schools.of(item)}</span>
      </div>
      {isQuestion(item) && <QuestionText text={item.question} />}
      <LeadFacts item={item} />
      <LeadIds item={item} />
    </article>
  )
}

function Heading({ item }: { item: LeadItem }) {
  const t = useTranslations('lead')
  const missing = isQuestion(item) ? t('noSender') : t('noName')
  return nameOf(item) ?? <span className="text-faint italic">{missing}</span>
}

function KindTag({ item }: { item: LeadItem }) {
  const t = useTranslations('lead')
  const thisYear = Number(stockholmDay(useToday()).slice(0, 4))
  if (isQuestion(item)) return <Badge>{t('question')}</Badge>
  const year = item.user.highSchoolEnrollmentYear
  if (year === null) return null
  return <Badge>{t(year < thisYear ? 'started' : 'starts', { year: String(year) })}</Badge>
}

/** The sender's own words: line breaks kept, markup inert, each line in its own writing direction. */
function QuestionText({ text }: { text: string }) {
  const t = useTranslations('lead')
  const words = text.trim()
  return (
    <blockquote className="mb-5 rounded-lg border border-line bg-panel px-4.5 py-4 leading-relaxed shadow-card">
      {words === '' ? (
        <p className="text-faint italic">{t('noQuestion')}</p>
      ) : (
        <p dir="auto" className="text-start wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
          {words}
        </p>
      )}
    </blockquote>
  )
}
