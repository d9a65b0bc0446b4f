'use client'

import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { singleValues, useUrlState } from '@/components/browser/url-state'
import { SettingsForm, useSaveForm } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { SelectField, TextField } from '@/components/ui/field'
import { Loading } from '@/components/ui/load-failure'
import { ProblemText } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/headings'
import { apiQuery, pathOf, api } from '@/lib/api/call'
import type { ReadingLimits } from '@/lib/contract/activity'
import type { User } from '@/lib/contract/user'
import { addDays, epochDay } from '@/lib/time/stockholm'
import { ASKED_ONCE, Entries, Exports, Hours, LogTabs, Summary } from './follow-up'

type FollowedReader = { user: string; from: string; to: string }
type PersonScreenProps = { users: readonly User[]; limits: ReadingLimits; today: string }

export function PersonScreen({ users, limits, today }: PersonScreenProps) {
  const t = useTranslations('reading.person')
  const { search, write } = useUrlState()
  const [user, from, to] = [search.get('user'), search.get('from'), search.get('to')]
  const query = { user: user ?? '', from: dayOr(from, addDays(today, -6)), to: dayOr(to, today) }
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} />
      <LogTabs here="person" />
      <Choice
        key={JSON.stringify(query)}
        query={query}
        users={users}
        onShow={(next) => write(singleValues(next), 'push')}
      />
      {query.user === '' || !isSpan(query) ? (
        <EmptyState icon={<Eye />} title={t('chooseTitle')} hint={t('chooseHint')} />
      ) : (
        <Followed reader={query} users={users} />
      )}
      <LimitsForm saved={limits} />
    </div>
  )
}

function dayOr(text: string | null, otherwise: string): string {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(epochDay(text)) ? text : otherwise
}

const MAX_DAYS = 92

function isSpan({ from, to }: FollowedReader): boolean {
  const days = epochDay(to) - epochDay(from)
  return days >= 0 && days < MAX_DAYS
}

type ChoiceProps = { query: FollowedReader; users: readonly User[]; onShow: (reader: FollowedReader) => void }

/** Nothing is requested before it is sent: each request is an entry in the log. */
function Choice({ query, users, onShow }: ChoiceProps) {
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
        <SelectField
          label={t('who')}
          name="user"
          defaultValue={query.user}
          required
          options={[['', t('choose')], ...users.map(({ id, name, email }) => [id, `${name} (${email})`] as const)]}
        />
      </div>
      {(['from', 'to'] as const).map((name) => (
        <TextField key={name} label={t(name)} type="date" name={name} defaultValue={query[name]} required />
      ))}
      <Button text={t('show')} type="submit" variant="primary" className="col-span-2 min-h-9 desk:col-span-1" />
      <ProblemText text={isWrong ? t('tooLong') : null} className="col-span-full" />
    </form>
  )
}

function Followed({ reader, users }: { reader: FollowedReader; users: readonly User[] }) {
  const t = useTranslations('reading')
  const found = useQuery({
    ...apiQuery('GET /api/log-follow-up/people', { query: reader }),
    ...ASKED_ONCE,
  })
  const { data } = found
  if (data === undefined) return <Loading found={found} failed={t('failed')} className="h-40 w-full" />
  const sum = (name: 'listed' | 'opened' | 'searches') => data.hours.reduce((total, hour) => total + hour[name], 0)
  const sums = { listed: sum('listed'), opened: sum('opened'), searches: sum('searches') }
  return (
    <>
      <Summary
        text={data.hours.length === 0 ? t('person.none') : t('person.sum', sums)}
        file={pathOf('GET /api/log-follow-up/people', { query: { ...reader, format: 'csv' } })}
      />
      <Hours title={t('person.hours')} hours={data.hours} />
      <Entries
        id="opened"
        title={t('person.opened')}
        none={t('person.openedNone')}
        entries={data.opened}
        isCut={data.isCut}
        users={users}
        leadsIn="leads"
      />
      <Exports found={data.exports} />
    </>
  )
}

const RANGES = { listed: { min: 50, max: 1_000_000 }, opened: { min: 10, max: 100_000 } } as const

function LimitsForm({ saved }: { saved: ReadingLimits }) {
  const t = useTranslations('reading.limits')
  const [texts, setTexts] = useState({ listed: String(saved.listed), opened: String(saved.opened) })
  const faultOf = (name: keyof ReadingLimits) => {
    const [text, { min, max }] = [texts[name].trim(), RANGES[name]]
    return /^\d{1,7}$/.test(text) && Number(text) >= min && Number(text) <= max ? null : t(`${name}Range`)
  }
  const { errorOf, ...saving } = useSaveForm({
    values: { listed: Number(texts.listed), opened: Number(texts.opened) },
    errors: { listed: faultOf('listed'), opened: faultOf('opened') },
    send: (body) => api('PUT /api/reading/limits', { body }),
    done: t('saved'),
    failed: t('failed'),
  })
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('lead')} save={t('save')}>
      <div className="grid grid-cols-1 gap-3 px-4 py-3 desk:grid-cols-2">
        {(['listed', 'opened'] as const).map((name) => (
          <TextField
            key={name}
            label={t(name)}
            error={errorOf(name)}
            inputMode="numeric"
            className="tabular"
            value={texts[name]}
            onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
          />
        ))}
      </div>
    </SettingsForm>
  )
}
