import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { SettingsForm, useSaveForm } from '@/components/app/save-form'
import { useTextSearch } from '@/components/ui/choice-list'
import { Input, Select } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { HighSchool } from '@/lib/contract/lead'
import { MAIL_WAYS, type MailWay } from '@/lib/contract/limits'
import type { WorkSettings, WorkSettingsChange } from '@/lib/contract/settings'
import { ListSearch } from './list-search'

const MIN_SCHOOLS_FOR_SEARCH = 11

type BySchool<Value> = Readonly<Record<string, Value>>
type SchoolSettingsFormProps = { initialSettings: WorkSettings; schools: readonly HighSchool[]; canMail: boolean }

/** Sets which program sends each school's mails, and to which address they are answered. */
export function SchoolSettingsForm({ initialSettings, schools, canMail }: SchoolSettingsFormProps) {
  const t = useTranslations('work.schools')
  const savedText = useTranslations('work')('saved')
  const [savedSettings, setSavedSettings] = useState(initialSettings)
  const { text, setText, matches } = useTextSearch(schools, ({ name }) => name)
  const [chosenWays, setChosenWays] = useState<BySchool<MailWay | ''>>({})
  const [enteredAddresses, setEnteredAddresses] = useState<BySchool<string>>({})
  const changedWays = diffBySchool(chosenWays, savedSettings.mailWay)
  const changedAddresses = diffBySchool(enteredAddresses, savedSettings.replyTo)
  const changedIds = new Set([changedWays, changedAddresses].flatMap((changes) => Object.keys(changes ?? {})))
  // A setting without changes is undefined and so not sent, because the activity log would name it.
  const changes: WorkSettingsChange = { mailWay: changedWays, replyTo: changedAddresses }
  const saving = useSaveForm({
    values: changes,
    send: (body) => api('PATCH /api/settings', { body }),
    successMessage: savedText,
    failureMessage: (error) => (hasStatus(error, 400) ? t('wrongAddress') : undefined),
    invalidate: 'all',
    onSaved: setSavedSettings,
  })
  const mailWays = MAIL_WAYS.filter((way) => canMail || way !== 'intag')
  return (
    <SettingsForm
      id="schools"
      saving={saving}
      title={t('title')}
      intro={t('intro')}
      saveLabel={t('save', { count: changedIds.size })}
      disabled={changedIds.size === 0}
      isWide
    >
      {schools.length === 0 && <p className="px-4 py-3 text-sm text-mute">{t('none')}</p>}
      {schools.length >= MIN_SCHOOLS_FOR_SEARCH && (
        <div className="border-b border-line-soft px-4 py-2.5">
          <ListSearch label={t('search')} text={text} onType={setText} result={t('count', { count: matches.length })} />
        </div>
      )}
      <ul className="scroll-thin max-h-120 overflow-y-auto">
        {matches.map(({ id, name: school }) => (
          <li
            key={id}
            className="grid items-center gap-x-4 gap-y-1.5 border-b border-line-soft px-4 py-2 text-sm last:border-b-0 desk:grid-cols-[1fr_minmax(0,19rem)_minmax(0,18rem)]"
          >
            <span className="font-medium wrap-anywhere">{school}</span>
            <Select
              aria-label={t('mailWay', { school })}
              value={chosenWays[id] ?? savedSettings.mailWay[id] ?? ''}
              options={[
                ['', t('usual', { way: t(canMail ? 'way.intag' : 'way.program') })],
                ...mailWays.map((way) => [way, t(`way.${way}`)] as const),
              ]}
              onChoose={(way) => setChosenWays({ ...chosenWays, [id]: way })}
            />
            <Input
              type="email"
              aria-label={t('replyTo', { school })}
              maxLength={200}
              autoComplete="off"
              placeholder={t('noReplyTo')}
              defaultValue={enteredAddresses[id] ?? savedSettings.replyTo[id] ?? ''}
              onChange={({ target }) => setEnteredAddresses({ ...enteredAddresses, [id]: target.value.trim() })}
            />
          </li>
        ))}
      </ul>
    </SettingsForm>
  )
}

/** Returns the values that differ from the saved ones, with null for an empty one, or undefined if none does. */
function diffBySchool<Value extends string>(chosen: BySchool<Value | ''>, saved: BySchool<Value>) {
  const changes = Object.entries(chosen).filter(([id, value]) => value !== (saved[id] ?? ''))
  return changes.length === 0 ? undefined : Object.fromEntries(changes.map(([id, value]) => [id, value || null]))
}
