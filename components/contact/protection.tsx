import { ShieldCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { useNavigate } from '@/components/desk/navigate'
import { ConfirmButton, DialogForm, useSaveForm } from '@/components/desk/save'
import { ChoiceList } from '@/components/ui/choice-list'
import { cn } from '@/components/ui/cn'
import { Dialog, DialogButton } from '@/components/ui/dialog'
import { Checkbox, TextField } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import { displayPhone } from '@/lib/contacts/phone'
import { MAX_LEADS_OF_PERSON } from '@/lib/contacts/contact-leads'
import type { ContactRights } from '@/lib/contract/rights'
import { NamingTexts } from './rights-erasure'

type ProtectDialogProps = { contactId: string; rights: ContactRights; onClose: () => void }

export function ShieldPart({ contactId, rights }: Omit<ProtectDialogProps, 'onClose'>) {
  const t = useTranslations('rights.shield')
  const { protection } = rights
  return (
    <>
      <p className="flex items-center gap-2 text-sm text-mute">
        {protection !== null && <ShieldCheck className="size-4 shrink-0 text-accent" />}
        <span>{protection === null ? t('off') : t('on', { count: protection.people.length })}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <DialogButton
          text={t(protection === null ? 'protect' : 'change')}
          size="sm"
          dialog={(close) => <ProtectDialog contactId={contactId} rights={rights} onClose={close} />}
        />
        {protection !== null && <LiftButton id={protection.id} />}
      </div>
    </>
  )
}

export function LiftButton({ id }: { id: string }) {
  const t = useTranslations('rights.lift')
  const shield = useTranslations('rights.shield')
  return (
    <ConfirmButton
      text={shield('lift')}
      size="sm"
      variant="ghost"
      ask={{ title: t('title'), text: t('body'), yes: t('confirm') }}
      saving={{
        send: () => api('DELETE /api/protections/[id]', { params: { id } }),
        done: t('done'),
        refresh: 'all',
        refreshFirst: true,
      }}
    />
  )
}

type Addresses = { emails: string[]; phones: string[] }
type Fault = 'noAddress' | 'noPeople' | 'noReason'

function ProtectDialog({ contactId, rights, onClose }: ProtectDialogProps) {
  const t = useTranslations('rights.form')
  const { protection } = rights
  const isNew = protection === null
  const all = allAddresses(rights)
  const [by, setBy] = useState<Addresses>(protection ?? all)
  const [people, setPeople] = useState<readonly string[]>(protection?.people ?? [])
  const [reason, setReason] = useState(protection?.reason ?? '')
  const fault = faultOf({ by, all, people, reason: isNew ? reason : 'kept' })
  const saving = useProtecting({ contactId, rights, onClose }, { by, people, reason, fault })
  const noPeople = saving.errorOf('noPeople')
  const problem = saving.errorOf('noAddress') ?? noPeople ?? saving.problem
  return (
    <Dialog onClose={onClose} title={t(isNew ? 'title' : 'changeTitle')}>
      <DialogForm saving={{ ...saving, problem }} save={isNew ? t('save') : undefined} onClose={onClose}>
        <p className="text-sm text-mute">{t('what')}</p>
        <AddressChoice all={all} by={by} onChange={setBy} />
        <PeopleChoice people={rights.people} chosen={people} isWrong={noPeople !== undefined} onChange={setPeople} />
        <NamingTexts rights={rights} leads={leadsWith(rights, by)} />
        {isNew && (
          <TextField
            label={t('reason')}
            hint={t('reasonHint')}
            error={saving.errorOf('noReason')}
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </DialogForm>
    </Dialog>
  )
}

function allAddresses({ emails, phones, protection }: ContactRights): Addresses {
  return {
    emails: [...new Set([...emails, ...(protection?.emails ?? [])])],
    phones: [...new Set([...phones, ...(protection?.phones ?? [])])],
  }
}

/** All leads of a person without addresses. */
function leadsWith({ leads, emails, phones }: ContactRights, by: Addresses): ContactRights['leads'] {
  if (emails.length + phones.length === 0) return leads
  return leads.filter(
    ({ email, phone }) =>
      (email !== null && by.emails.includes(email)) || (phone !== null && by.phones.includes(phone)),
  )
}

type Checked = Pick<Filled, 'by' | 'people' | 'reason'> & { all: Addresses }

function faultOf({ by, all, people, reason }: Checked): Fault | null {
  const hasAddress = all.emails.length + all.phones.length > 0
  if (hasAddress && by.emails.length + by.phones.length === 0) return 'noAddress'
  if (people.length === 0) return 'noPeople'
  return reason.trim() === '' ? 'noReason' : null
}

type Filled = { by: Addresses; people: readonly string[]; reason: string; fault: Fault | null }

function useProtecting({ contactId, rights, onClose }: ProtectDialogProps, { by, people, reason, fault }: Filled) {
  const t = useTranslations('rights.form')
  const navigate = useNavigate()
  const me = useCurrentUser()
  const { protection, leads } = rights
  const addresses = { contact: contactId, emails: by.emails, phones: by.phones }
  const taken = t(leads.length > MAX_LEADS_OF_PERSON ? 'tooMany' : 'taken')
  return useSaveForm({
    values: { people: [...people], addresses },
    errors: fault === null ? {} : { [fault]: t(fault) },
    send: async (given) => {
      if (protection) await api('PATCH /api/protections/[id]', { params: { id: protection.id }, body: given })
      else await api('POST /api/protections', { body: { ...addresses, people: given.people, reason: reason.trim() } })
    },
    done: t(protection ? 'changed' : 'done'),
    failed: (error) => (hasStatus(error, 409) ? taken : undefined),
    refresh: 'all',
    refreshFirst: true,
    onSaved: (_, given) => {
      // A user who is not among those named cannot see this contact any more.
      if (me !== null && !given.people.includes(me.id)) navigate('/admin/protections')
      onClose()
    },
  })
}

function AddressChoice({ all, by, onChange }: { all: Addresses; by: Addresses; onChange: (by: Addresses) => void }) {
  const t = useTranslations('rights.form')
  if (all.emails.length + all.phones.length === 0) return null
  const toggle = (field: keyof Addresses, text: string) => {
    const others = by[field].filter((other) => other !== text)
    onChange({ ...by, [field]: others.length < by[field].length ? others : [...others, text] })
  }
  const box = (field: keyof Addresses) => (text: string) => (
    <Checkbox
      key={text}
      label={<bdi className="tabular">{field === 'phones' ? displayPhone(text) : text}</bdi>}
      checked={by[field].includes(text)}
      onChange={() => toggle(field, text)}
    />
  )
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{t('addresses')}</legend>
      {all.emails.map(box('emails'))}
      {all.phones.map(box('phones'))}
    </fieldset>
  )
}

type PeopleChoiceProps = {
  people: readonly ContactRights['people'][number][]
  chosen: readonly string[]
  isWrong?: boolean
  onChange: (people: readonly string[]) => void
}

export function PeopleChoice({ people, chosen, isWrong = false, onChange }: PeopleChoiceProps) {
  const t = useTranslations('rights.form')
  const me = useCurrentUser()
  return (
    <>
      <fieldset data-invalid={isWrong ? '' : undefined}>
        <legend className="mb-1.5 text-sm font-medium">{t('people')}</legend>
        <ChoiceList
          look="form"
          className={cn('rounded-md border bg-panel', isWrong ? 'border-danger' : 'border-field-line')}
          choices={people.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={chosen}
          words={{ find: t('find') }}
          onChange={onChange}
        />
      </fieldset>
      {me !== null && chosen.includes(me.id) && <Notice size="xs">{t('self')}</Notice>}
    </>
  )
}
