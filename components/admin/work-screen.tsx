'use client'

import { useLocale, useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useToday } from '@/components/browser/clock'
import { SettingsForm, useSaveForm } from '@/components/desk/save'
import { Input, Select } from '@/components/ui/field'
import { PageHeader } from '@/components/ui/headings'
import { ProblemText } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import type { HighSchool } from '@/lib/contract/lead'
import { LEAD_KINDS, MAIL_WAYS } from '@/lib/contract/lists'
import type { AdmissionCycle, WorkSettings, WorkSettingsChange } from '@/lib/contract/settings'
import { cycleDate, defaultCohort } from '@/lib/interest/cohort'
import { formatDate } from '@/lib/time/format-time'
import { dayText, stockholmDay } from '@/lib/time/stockholm'
import { CycleForm } from './cycle-form'
import { Choice } from './school-field'

type WorkScreenProps = {
  initial: WorkSettings
  cycle: AdmissionCycle
  schools: readonly HighSchool[]
  canSend: boolean
}

export function WorkScreen({ initial, cycle: initialCycle, schools, canSend }: WorkScreenProps) {
  const t = useTranslations('work')
  const [settings, onSaved] = useState(initial)
  const [cycle, setCycle] = useState(initialCycle)
  return (
    <div className="page">
      <div className="max-w-2xl">
        <PageHeader title={t('title')} lead={t('lead')} />
      </div>
      <WorkFrom settings={settings} cycle={cycle} onSaved={onSaved} />
      <AnswerGoals settings={settings} onSaved={onSaved} />
      <CycleForm saved={cycle} onSaved={setCycle} />
      <MailWays settings={settings} schools={schools} canSend={canSend} onSaved={onSaved} />
      <ReplyAddresses settings={settings} schools={schools} onSaved={onSaved} />
    </div>
  )
}

const row = 'border-b border-line-soft px-4 text-sm font-medium last:border-b-0'
const MAX_DAYS = 10

function AnswerGoals({ settings, onSaved }: WorkPartProps) {
  const t = useTranslations('work.goals')
  const [goals, setGoals] = useState(settings.goals)
  const saving = useSaveWork({ goals }, onSaved)
  const isSame = LEAD_KINDS.every((kind) => goals[kind] === settings.goals[kind])
  // A script can set more days than are offered here.
  const most = Math.max(MAX_DAYS, ...Object.values(settings.goals).map(Number))
  const days = Array.from({ length: most }, (_, index) => index + 1)
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('lead')} save={t('save')} disabled={isSame}>
      {LEAD_KINDS.map((kind) => (
        <label key={kind} className={`${row} flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3`}>
          {t(kind)}
          <Select
            value={goals[kind] ?? ''}
            options={[['', t('none')], ...days.map((count) => [String(count), t('days', { count })] as const)]}
            onChoose={(count) => setGoals({ ...goals, [kind]: count === '' ? null : Number(count) })}
            className="tabular min-w-[min(12rem,100%)]"
          />
        </label>
      ))}
    </SettingsForm>
  )
}

type SchoolsProps = WorkPartProps & { schools: readonly HighSchool[] }

function MailWays({ canSend, ...props }: SchoolsProps & { canSend: boolean }) {
  const t = useTranslations('work.mailWay')
  const ways = MAIL_WAYS.filter((way) => canSend || way !== 'intag')
  return (
    <SchoolSettings name="mailWay" {...props}>
      {(way, onChange) => (
        <Select
          value={way}
          options={[
            ['', t('usual', { way: t(canSend ? 'way.intag' : 'way.program') })],
            ...ways.map((each) => [each, t(`way.${each}`)] as const),
          ]}
          onChoose={onChange}
        />
      )}
    </SchoolSettings>
  )
}

function ReplyAddresses(props: SchoolsProps) {
  const t = useTranslations('work.replyTo')
  return (
    <SchoolSettings name="replyTo" {...props}>
      {(address, onChange) => (
        <Input
          type="email"
          maxLength={200}
          autoComplete="off"
          placeholder={t('usual')}
          defaultValue={address}
          onChange={({ target }) => onChange(target.value.trim())}
        />
      )}
    </SchoolSettings>
  )
}

type SchoolSettingsProps = SchoolsProps & {
  name: 'mailWay' | 'replyTo'
  /** The field of a school; without a value, the usual holds. */
  children: (value: string, onChange: (value: string) => void) => ReactNode
}

function SchoolSettings({ name, settings, schools, onSaved, children }: SchoolSettingsProps) {
  const t = useTranslations('work')
  const saved: Readonly<Record<string, string | undefined>> = settings[name]
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const changed = Object.entries(chosen).filter(([id, value]) => value !== (saved[id] ?? ''))
  const change = Object.fromEntries(changed.map(([id, value]) => [id, value || null]))
  const saving = useSaveWork({ [name]: change }, onSaved)
  return (
    <SettingsForm
      saving={saving}
      title={t(`${name}.title`)}
      lead={t(`${name}.lead`)}
      save={t(`${name}.save`)}
      disabled={changed.length === 0}
    >
      {schools.length === 0 && <p className="px-4 py-3 text-sm text-mute">{t('noSchools')}</p>}
      <div className="max-h-96 overflow-y-auto scroll-thin">
        {schools.map(({ id, name: school }) => (
          <label key={id} className={`${row} grid items-center gap-x-4 gap-y-1.5 py-2.5 desk:grid-cols-[1fr_18rem]`}>
            {school}
            {children(chosen[id] ?? saved[id] ?? '', (value) => setChosen({ ...chosen, [id]: value }))}
          </label>
        ))}
      </div>
    </SettingsForm>
  )
}

/** A form for some of the settings of the work. Rows and numbers change with them, in this tab at once. */
function useSaveWork(values: WorkSettingsChange, onSaved: (settings: WorkSettings) => void) {
  const t = useTranslations('work')
  return useSaveForm({
    values,
    send: (body) => api('PATCH /api/settings', { body }),
    done: t('saved'),
    refresh: 'all',
    onSaved,
  })
}

type WorkPartProps = { settings: WorkSettings; onSaved: (settings: WorkSettings) => void }

const CHOICES = ['today', 'year', 'all', 'own'] as const

function WorkFrom({ settings: { work }, cycle, onSaved }: WorkPartProps & { cycle: AdmissionCycle }) {
  const t = useTranslations('work.from')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  const cohort = defaultCohort(today, cycle)
  const year = dayText(cycleDate(cohort - 1, cycle.reservesEnd) + 1)
  const usual = { today, year, all: null }
  const isOwn = work !== null && ![today, year, null].includes(work.from)
  const saved = isOwn ? 'own' : (['all', 'today', 'year'] as const).find((name) => usual[name] === work?.from)
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>(saved ?? 'today')
  const [own, setOwn] = useState(isOwn ? (work.from ?? '') : '')
  const days = { ...usual, own }
  const from = days[choice]
  const saving = useSaveWork({ work: { from } }, onSaved)
  const isPossible = choice !== 'own' || (own !== '' && own <= today)
  const longDate = (day: string) => formatDate(Date.parse(`${day}T12:00:00Z`), { dateStyle: 'long' }, locale)
  const hints = {
    today: longDate(today),
    year: t('yearHint', { day: longDate(year) }),
    all: t('allHint', { year: String(cohort) }),
    own: t('ownHint'),
  }
  return (
    <SettingsForm
      saving={saving}
      title={t('title')}
      lead={t(work === null ? 'leadNever' : 'lead')}
      save={t('save')}
      disabled={!isPossible || work?.from === from}
    >
      <fieldset>
        <legend className="sr-only">{t('title')}</legend>
        {CHOICES.map((name) => (
          <div key={name} className="border-b border-line-soft last:border-b-0">
            <Choice
              group="work-from"
              label={t(`choice.${name}`)}
              hint={hints[name]}
              isChosen={choice === name}
              onChoose={() => setChoice(name)}
            />
            {name === 'own' && choice === name && (
              <div className="pr-3 pb-3 pl-10">
                <Input
                  type="date"
                  aria-label={t('ownDay')}
                  value={own}
                  max={today}
                  onChange={({ target }) => setOwn(target.value)}
                  className="max-w-44"
                />
                <ProblemText text={own > today ? t('inFuture') : null} />
              </div>
            )}
          </div>
        ))}
      </fieldset>
    </SettingsForm>
  )
}
