'use client'

import { ContactRound } from 'lucide-react'
import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { MinorMark } from '@/components/contact/minor-mark'
import { QuestionText } from '@/components/contact/question-text'
import { Timeline } from '@/components/contact/timeline'
import { useMinor } from '@/components/contact/use-minor'
import { useSchoolNames } from '@/components/inbox/use-school-names'
import { useToday } from '@/components/inbox/use-today'
import { Notes } from '@/components/notes/notes'
import { LazyArea } from '@/components/shell/lazy-area'
import { Badge } from '@/components/ui/badge'
import { buttonClass } from '@/components/ui/button-class'
import type { LeadItem } from '@/lib/api/lead-page'
import type { LeadKind } from '@/lib/contract/lead'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { LeadFacts } from './lead-facts'
import { LeadIds } from './lead-ids'

/** The lead, and the person behind it: their other leads, and what colleagues have noted. */
export function LeadBody({ kind, item }: { kind: LeadKind; item: LeadItem }) {
  const schools = useSchoolNames()
  return (
    <article className="max-w-180 px-4 py-5 @lg:px-7 @lg:py-6">
      <header className="flex items-start gap-3">
        <h2 dir="auto" className="min-w-0 flex-1 text-start text-xl font-semibold wrap-anywhere">
          <Heading item={item} />
        </h2>
        <ContactLink id={item.contactId} />
      </header>
      <div className="mt-1.5 mb-5 flex flex-wrap items-center gap-2 text-mute">
        <KindTag item={item} />
        <span className="wrap-anywhere">{schools.of(item)}</span>
        <MinorMark minor={useMinor(item)} />
      </div>
      {isQuestion(item) && (
        <div className="mb-5 rounded-lg border border-line bg-panel px-4.5 py-4 shadow-card">
          <QuestionText text={item.question} />
        </div>
      )}
      <LeadFacts kind={kind} item={item} />
      <LazyArea area="contact">
        <Timeline open={item} />
        <Notes lead={{ kind, id: item.id }} />
      </LazyArea>
      <LeadIds item={item} />
    </article>
  )
}

function ContactLink({ id }: { id: string }) {
  const t = useTranslations('lead')
  return (
    <Link
      href={`/contacts/${id}`}
      prefetch={false}
      aria-label={t('showContact')}
      className={buttonClass({ size: 'sm', variant: 'ghost', className: 'mt-0.5' })}
    >
      <ContactRound aria-hidden className="size-4" />
      <span className="hidden @lg:inline">{t('showContact')}</span>
    </Link>
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
