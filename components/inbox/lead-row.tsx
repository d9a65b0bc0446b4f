'use client'

import { useTranslations } from 'next-intl'
import { memo } from 'react'
import { StatusDot } from '@/components/ui/status-dot'
import type { LeadItem } from '@/lib/api/lead-page'
import { isQuestion, nameOf, openingOf, wayBesideHeading } from '@/lib/inbox/lead-text'
import { Highlight } from './highlight'
import { RowTime } from './row-time'

/** One row's height in pixels; fixed, so that a list of any length is laid out without measuring. */
export const ROW_HEIGHT = 58

export type LeadRowProps = {
  item: LeadItem
  index: number
  count: number
  school: string
  search: string
  /** Any moment of today; the same all day, so that rows render again only when the day turns. */
  today: number
  isCursor: boolean
  isOpen: boolean
  onOpen: (id: string, index: number) => void
}

export const LeadRow = memo(function LeadRow(props: LeadRowProps) {
  const { item, index, count, school, search, today, isCursor, isOpen, onOpen } = props
  const t = useTranslations('common')
  const { status } = item.triage
  return (
    <div
      role="option"
      id={`row-${index}`}
      aria-selected={isOpen}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-cursor={isCursor}
      data-unhandled={status === 'new'}
      onClick={() => onOpen(item.id, index)}
      className="group relative grid h-full cursor-pointer grid-cols-[1rem_1fr_auto] content-center items-baseline gap-x-3 gap-y-0.5 border-l-2 border-transparent pr-4 pl-3.5 hover:bg-hover aria-selected:border-accent aria-selected:bg-selected data-[cursor=true]:not-aria-selected:bg-hover"
    >
      <span className="self-center">
        <StatusDot status={status} label={t(`status.${status}`)} />
      </span>
      <span dir="auto" className="truncate text-start font-normal group-data-[unhandled=true]:font-semibold">
        <Heading item={item} search={search} />
      </span>
      <RowTime at={item.createdAt} today={today} />
      <span className="col-span-2 col-start-2 flex min-w-0 items-center gap-1.5 text-sm text-mute">
        <Contact item={item} search={search} school={school} />
      </span>
    </div>
  )
})

function Heading({ item, search }: { item: LeadItem; search: string }) {
  const t = useTranslations('inbox')
  if (isQuestion(item)) {
    const opening = openingOf(item.question)
    return opening === '' ? <Missing>{t('noQuestion')}</Missing> : <Highlight text={opening} query={search} />
  }
  const name = nameOf(item)
  return name === null ? <Missing>{t('nameMissing')}</Missing> : <Highlight text={name} query={search} />
}

function Missing({ children }: { children: string }) {
  return <span className="text-faint italic">{children}</span>
}

/** Year, school and how to reach the person. */
function Contact({ item, search, school }: { item: LeadItem; search: string; school: string }) {
  const way = wayBesideHeading(item)
  const year = isQuestion(item) ? null : item.user.highSchoolEnrollmentYear
  return (
    <>
      {year !== null && (
        <span className="tabular shrink-0 rounded-sm border border-line px-1.25 text-2xs font-semibold">{year}</span>
      )}
      <span className="truncate">
        {school}
        {way !== null && (
          <>
            <span className="text-faint"> · </span>
            <Highlight text={way.text} query={search} phone={way.is === 'phone'} />
          </>
        )}
      </span>
    </>
  )
}
