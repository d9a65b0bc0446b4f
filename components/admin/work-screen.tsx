'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { SettingsForm } from '@/components/desk/save'
import { Input, Select } from '@/components/ui/field'
import { PageHeader } from '@/components/ui/headings'
import type { AdmissionCycle, WorkSettings } from '@/lib/contract/settings'
import type { HighSchool } from '@/lib/contract/lead'
import { LEAD_KINDS, MAIL_WAYS, type MailWay } from '@/lib/contract/lists'
import { CycleForm } from './cycle-form'
import { useSaveWork, WorkFrom, type WorkPartProps } from './work-from'

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

type SchoolsProps = WorkPartProps & { schools: readonly HighSchool[] }

const row = 'border-b border-line-soft px-4 text-sm font-medium last:border-b-0'
const MAX_DAYS = 10

function AnswerGoals({ settings, onSaved }: WorkPartProps) {
  const t = useTranslations('work.goals')
  const [goals, setGoals] = useState(settings.goals)
  const saving = useSaveWork({ goals }, onSaved)
  const isSame = LEAD_KINDS.every((kind) => goals[kind] === settings.goals[kind])
  return (
    <SettingsForm saving={saving} title={t('title')} lead={t('lead')} save={t('save')} disabled={isSame}>
      {LEAD_KINDS.map((kind) => (
        <label key={kind} className={`${row} flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3`}>
          {t(kind)}
          <Select
            value={goals[kind] ?? ''}
            options={[
              ['', t('none')],
              ...daysOffered(goals[kind]).map((days) => [String(days), t('days', { count: days })] as const),
            ]}
            onChoose={(days) => setGoals({ ...goals, [kind]: days === '' ? null : Number(days) })}
            className="tabular min-w-[min(12rem,100%)]"
          />
        </label>
      ))}
    </SettingsForm>
  )
}

function daysOffered(chosen: number | null): number[] {
  const usual = Array.from({ length: MAX_DAYS }, (_, index) => index + 1)
  return chosen === null || usual.includes(chosen) ? usual : [...usual, chosen]
}

function MailWays({ settings: { mailWay }, schools, canSend, onSaved }: SchoolsProps & { canSend: boolean }) {
  const t = useTranslations('work.mailWay')
  const [chosen, setChosen] = useState<Readonly<Record<string, MailWay | null>>>({})
  const change = Object.fromEntries(Object.entries(chosen).filter(([id, way]) => way !== (mailWay[id] ?? null)))
  const ways = MAIL_WAYS.filter((way) => canSend || way !== 'intag')
  return (
    <SchoolSettings is="mailWay" change={change} schools={schools} onSaved={onSaved}>
      {(id) => (
        <Select
          value={(chosen[id] === undefined ? mailWay[id] : chosen[id]) ?? ''}
          options={[
            ['', t('usual', { way: t(canSend ? 'way.intag' : 'way.program') })],
            ...ways.map((way) => [way, t(`way.${way}`)] as const),
          ]}
          onChoose={(way) => setChosen({ ...chosen, [id]: way || null })}
        />
      )}
    </SchoolSettings>
  )
}

function ReplyAddresses({ settings: { replyTo }, schools, onSaved }: SchoolsProps) {
  const t = useTranslations('work.replyTo')
  const [written, setWritten] = useState<Readonly<Record<string, string>>>({})
  const changed = Object.entries(written).filter(([school, address]) => address !== (replyTo[school] ?? ''))
  const change = Object.fromEntries(changed.map(([school, address]) => [school, address || null]))
  return (
    <SchoolSettings is="replyTo" change={change} schools={schools} onSaved={onSaved}>
      {(id) => (
        <Input
          type="email"
          maxLength={200}
          autoComplete="off"
          placeholder={t('usual')}
          defaultValue={replyTo[id] ?? ''}
          onChange={({ target }) => setWritten({ ...written, [id]: target.value.trim() })}
        />
      )}
    </SchoolSettings>
  )
}

type SchoolSettingsProps = Omit<SchoolsProps, 'settings'> & {
  is: 'mailWay' | 'replyTo'
  change: object
  children: (school: string) => ReactNode
}

function SchoolSettings({ is, change, schools, onSaved, children }: SchoolSettingsProps) {
  const t = useTranslations('work')
  const saving = useSaveWork({ [is]: change }, onSaved)
  const isSame = Object.keys(change).length === 0
  return (
    <SettingsForm
      saving={saving}
      title={t(`${is}.title`)}
      lead={t(`${is}.lead`)}
      save={t(`${is}.save`)}
      disabled={isSame}
    >
      {schools.length === 0 && <p className="px-4 py-3 text-sm text-mute">{t('noSchools')}</p>}
      <div className="max-h-96 overflow-y-auto scroll-thin">
        {schools.map(({ id, name }) => (
          <label key={id} className={`${row} grid items-center gap-x-4 gap-y-1.5 py-2.5 desk:grid-cols-[1fr_18rem]`}>
            {name}
            {children(id)}
          </label>
        ))}
      </div>
    </SettingsForm>
  )
}
