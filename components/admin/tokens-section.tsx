import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { AccountList, AccountRow } from '@/components/account/account-rows'
import { useDayAndTime, useToday } from '@/components/browser/clock'
import { ConfirmButton, DialogForm, useSaveForm } from '@/components/desk/save'
import { Dialog, DialogButton } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { TitledSection } from '@/components/ui/headings'
import { api, apiQuery } from '@/lib/api/call'
import type { NewToken, Token } from '@/lib/contract/tokens'
import { fullDay } from '@/lib/time/format-date'
import { stockholmDay, stockholmEpochDay } from '@/lib/time/stockholm'
import { Choice, FieldGroup, SchoolField, useScopeText } from './school-field'
import { ShownOnce } from './user-access'

const tokensQuery = { ...apiQuery('GET /api/tokens'), refetchOnWindowFocus: true }

export function TokensSection({ initial }: { initial: readonly Token[] }) {
  const t = useTranslations('adminUsers.tokens')
  const { tokens } = useQuery({ ...tokensQuery, initialData: { tokens: [...initial] } }).data
  return (
    <TitledSection id="tokens" title={t('title')} hint={t('hint')} className="max-w-2xl">
      {tokens.length === 0 ? (
        <p className="text-sm text-mute">{t('empty')}</p>
      ) : (
        <AccountList>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </AccountList>
      )}
      <DialogButton text={t('add')} className="mt-3" dialog={(close) => <NewTokenDialog onClose={close} />} />
    </TitledSection>
  )
}

function TokenRow({ token }: { token: Token }) {
  const t = useTranslations('adminUsers.tokens')
  const locale = useLocale()
  const when = useDayAndTime()
  const now = useToday()
  const scopeText = useScopeText()
  const { id, name, purpose, schools, createdBy, createdAt, expiresAt, lastUsedAt } = token
  const end = expiresAt === null ? null : Date.parse(expiresAt)
  const facts = [
    purpose === 'directory' ? t(purpose) : scopeText(schools),
    t('made', { when: when(createdAt), name: createdBy.name }),
    lastUsedAt === null ? t('unused') : t('used', { when: when(lastUsedAt) }),
    end !== null && t(end < now ? 'ended' : 'ends', { day: fullDay(stockholmEpochDay(end), locale) }),
  ]
  return (
    <AccountRow
      icon={KeyRound}
      title={<p className="font-medium wrap-anywhere">{name}</p>}
      facts={facts.filter(Boolean).join(' · ')}
      action={
        <ConfirmButton
          text={t('withdraw')}
          size="sm"
          aria-label={t('withdrawNamed', { name })}
          ask={{ title: t('withdrawTitle', { name }), text: t('withdrawBody'), yes: t('withdraw') }}
          saving={{
            send: () => api('DELETE /api/tokens/[id]', { params: { id } }),
            done: t('withdrawn', { name }),
            failed: t('withdrawFailed'),
            refresh: 'GET /api/tokens',
            refreshFirst: true,
          }}
        />
      }
    />
  )
}

type Made = { name: string; token: string; purpose: Token['purpose'] }

const PATHS = { figures: '/api/figures', directory: '/scim/v2' } as const

function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('adminUsers.tokens')
  const [made, setMade] = useState<Made | null>(null)
  return (
    <Dialog onClose={onClose} title={made ? t('madeTitle', made) : t('addTitle')} insistent={made !== null}>
      {made ? (
        <ShownOnce label={t('token')} hint={t('tokenHint')} text={made.token} copy={t('copy')} onDone={onClose}>
          <TextField
            label={t('address')}
            hint={t(`${made.purpose}Steps`)}
            readOnly
            value={`${location.origin}${PATHS[made.purpose]}`}
            onFocus={(event) => event.target.select()}
          />
        </ShownOnce>
      ) : (
        <NewTokenForm onMade={setMade} onClose={onClose} />
      )}
    </Dialog>
  )
}

function NewTokenForm({ onMade, onClose }: { onMade: (made: Made) => void; onClose: () => void }) {
  const t = useTranslations('adminUsers.tokens')
  const users = useTranslations('adminUsers')
  const today = stockholmDay(useToday())
  const [name, setName] = useState('')
  const [purpose, setPurpose] = useState<Token['purpose']>('figures')
  const [chosen, setSchools] = useState<NewToken['schools']>('all')
  const schools = purpose === 'directory' ? 'all' : chosen
  const [until, setUntil] = useState('')
  const { errorOf, ...saving } = useSaveForm({
    values: { purpose, name: name.trim(), schools, ...(until !== '' && { until }) },
    errors: {
      name: name.trim() === '' ? t('nameMissing') : null,
      schools: schools.length === 0 ? users('schools.none') : null,
      until: until !== '' && until < today ? t('untilPast') : null,
    },
    send: (body: NewToken) => api('POST /api/tokens', { body }),
    failed: t('saveFailed'),
    refresh: 'GET /api/tokens',
    onSaved: ({ token }, sent) => onMade({ name: sent.name, token, purpose }),
  })
  return (
    <DialogForm saving={saving} save={t('make')} onClose={onClose}>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        error={errorOf('name')}
        autoComplete="off"
        maxLength={100}
        autoFocus
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <PurposeField purpose={purpose} onPurpose={setPurpose} />
      {purpose === 'figures' && <SchoolField schools={chosen} error={errorOf('schools')} onSchools={setSchools} />}
      <TextField
        label={t('until')}
        hint={t('untilHint')}
        error={errorOf('until')}
        type="date"
        min={today}
        value={until}
        onChange={({ target }) => setUntil(target.value)}
        className="max-w-44"
      />
    </DialogForm>
  )
}

type PurposeFieldProps = { purpose: Token['purpose']; onPurpose: (purpose: Token['purpose']) => void }

function PurposeField({ purpose, onPurpose }: PurposeFieldProps) {
  const t = useTranslations('adminUsers.tokens')
  return (
    <FieldGroup legend={t('purpose')}>
      {(['figures', 'directory'] as const).map((each) => (
        <Choice
          key={each}
          group="purpose"
          label={t(each)}
          hint={t(`${each}Hint`)}
          isChosen={purpose === each}
          onChoose={() => onPurpose(each)}
        />
      ))}
    </FieldGroup>
  )
}
