'use client'

import { useQuery } from '@tanstack/react-query'
import { Download, Eye } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { ActivityEntries } from '@/components/admin/activity-entries'
import { singleValues, useUrlState } from '@/components/browser/url-state'
import { useGo } from '@/components/desk/go'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { Field, Input, Select } from '@/components/ui/field'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { ProblemText } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { apiQuery, pathOf } from '@/lib/api/call'
import { queryString } from '@/lib/api/send'
import type { ReaderFollowUp, ReadingLimits } from '@/lib/contract/reading'
import type { User } from '@/lib/contract/user'
import { addDays, epochDay } from '@/lib/time/stockholm'
import { ASKED_ONCE, Part } from './leads-screen'
import { LimitsForm } from './limits-form'
import { LogTabs } from './log-tabs'
import { FollowedExports, HoursTable } from './reading-tables'

type FollowedReader = { user: string; from: string; to: string }
type PersonScreenProps = { users: readonly User[]; limits: ReadingLimits; today: string }

/** What somebody looked at, hour by hour; and what is more than usual. */
export function PersonScreen({ users, limits, today }: PersonScreenProps) {
  const t = useTranslations('reading.person')
  const { search, write } = useUrlState()
  const [user, from, to] = [search.get('user'), search.get('from'), search.get('to')]
  const asked = { user: user ?? '', from: dayOr(from, addDays(today, -6)), to: dayOr(to, today) }
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} />
      <LogTabs here="person" />
      <Choice
        key={JSON.stringify(asked)}
        asked={asked}
        users={users}
        onShow={(next) => write(singleValues(next), 'push')}
      />
      {asked.user === '' || !isSpan(asked) ? (
        <EmptyState icon={<Eye />} title={t('chooseTitle')}>
          {t('chooseHint')}
        </EmptyState>
      ) : (
        <Followed reader={asked} users={users} />
      )}
      <LimitsForm saved={limits} />
    </div>
  )
}

function dayOr(text: string | null, otherwise: string): string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(epochDay(text)) ? text : otherwise
}

const MOST_DAYS = 92

function isSpan({ from, to }: FollowedReader): boolean {
  const days = epochDay(to) - epochDay(from)
  return days >= 0 && days < MOST_DAYS
}

type ChoiceProps = { asked: FollowedReader; users: readonly User[]; onShow: (reader: FollowedReader) => void }

/** Nothing is asked before it is sent: each asking stands in the log. */
function Choice({ asked, users, onShow }: ChoiceProps) {
  const t = useTranslations('reading.person')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name))
    const wanted = { user: text('user'), from: text('from'), to: text('to') }
    setWrong(!isSpan(wanted))
    if (isSpan(wanted)) onShow(wanted)
  }
  return (
    <form onSubmit={submit} className="grid grid-cols-2 items-end gap-3 desk:grid-cols-[2fr_1fr_1fr_auto]">
      <div className="col-span-2 desk:col-span-1">
        <Field label={t('who')}>
          {(attributes) => (
            <Select {...attributes} name="user" defaultValue={asked.user} required>
              <option value="">{t('choose')}</option>
              {users.map(({ id, name, email }) => (
                <option key={id} value={id}>
                  {name} ({email})
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label={t('from')}>
        {(attributes) => <Input {...attributes} type="date" name="from" defaultValue={asked.from} required />}
      </Field>
      <Field label={t('to')}>
        {(attributes) => <Input {...attributes} type="date" name="to" defaultValue={asked.to} required />}
      </Field>
      <Button type="submit" variant="primary" className="col-span-2 min-h-9 desk:col-span-1">
        {t('show')}
      </Button>
      <ProblemText text={isWrong ? t('tooLong') : null} className="col-span-full" />
    </form>
  )
}

function Followed({ reader, users }: { reader: FollowedReader; users: readonly User[] }) {
  const t = useTranslations('reading')
  const { data, error, refetch } = useQuery({
    ...apiQuery('GET /api/log-follow-up/people', { query: reader }),
    ...ASKED_ONCE,
  })
  if (error !== null) return <LoadFailure onRetry={() => void refetch()}>{t('failed')}</LoadFailure>
  if (data === undefined) return <Skeleton className="h-40 w-full" />
  const sum = (name: 'listed' | 'opened' | 'searches') => data.hours.reduce((total, hour) => total + hour[name], 0)
  const sums = { listed: sum('listed'), opened: sum('opened'), searches: sum('searches') }
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="font-medium">
          {data.hours.length === 0 ? t('person.none') : t('person.sum', sums)}
        </p>
        <a
          href={pathOf('GET /api/log-follow-up/people', { query: { ...reader, format: 'csv' } })}
          download
          className={buttonClass()}
        >
          <Download aria-hidden className="size-4" />
          {t('file.save')}
        </a>
      </div>
      {data.hours.length > 0 && (
        <Part id="hours" title={t('person.hours')}>
          <HoursTable caption={t('person.hours')} hours={data.hours} />
        </Part>
      )}
      <Opened found={data} users={users} />
      <Part id="exports" title={t('exports.title')} isEmpty={data.exports.length === 0} empty={t('exports.none')}>
        <FollowedExports caption={t('exports.title')} exports={data.exports} />
      </Part>
    </>
  )
}

function Opened({ found: { opened, isCut }, users }: { found: ReaderFollowUp; users: readonly User[] }) {
  const t = useTranslations('reading')
  const go = useGo()
  return (
    <Part id="opened" title={t('person.opened')} isEmpty={opened.length === 0} empty={t('person.openedNone')}>
      <ActivityEntries
        title={t('person.opened')}
        entries={opened}
        users={users}
        onSearch={({ kind, id, user }) => {
          const isLead = kind !== null && kind !== undefined
          const wanted = isLead ? { kind, id: id ?? undefined } : { user: user ?? undefined }
          go(`/admin/activity${isLead ? '/leads' : ''}${queryString(wanted)}`)
        }}
      />
      {isCut && <p className="mt-2 text-center text-xs text-mute">{t('leads.cut')}</p>}
    </Part>
  )
}
