import { useQuery } from '@tanstack/react-query'
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
import { peopleQuery } from '@/lib/api/queries'
import { hasStatus } from '@/lib/api/send'
import { MAX_LEADS_OF_PERSON } from '@/lib/contacts/contact-leads'
import { displayPhone } from '@/lib/contacts/phone'
import type { ContactRights } from '@/lib/contract/rights'

type ShieldProps = { contactId: string; rights: ContactRights }
type Addresses = Pick<ContactRights, 'emails' | 'phones'>

const hasAddress = ({ emails, phones }: Addresses) => emails.length + phones.length > 0

/** An address that came after the protection can be protected, too. */
export function ShieldPart({ contactId, rights }: ShieldProps) {
  const t = useTranslations('rights.shield')
  const { protection } = rights
  const left: Addresses = {
    emails: rights.emails.filter((email) => protection?.emails.includes(email) !== true),
    phones: rights.phones.filter((phone) => protection?.phones.includes(phone) !== true),
  }
  return (
    <>
      <p className="flex items-center gap-2 text-sm text-mute">
        {protection !== null && <ShieldCheck className="size-4 shrink-0 text-accent" />}
        <span>{protection === null ? t('off') : t('on', { count: protection.people.length })}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        {(protection === null || hasAddress(left)) && (
          <DialogButton
            text={t(protection === null ? 'protect' : 'protectMore')}
            size="sm"
            dialog={(close) => <ProtectDialog contactId={contactId} rights={rights} choices={left} onClose={close} />}
          />
        )}
        {protection !== null && <PeopleButton text={t('change')} {...protection} />}
        {protection !== null && <LiftButton id={protection.id} />}
      </div>
    </>
  )
}

export function LiftButton({ id }: { id: string }) {
  const t = useTranslations('rights')
  return (
    <ConfirmButton
      text={t('shield.lift')}
      size="sm"
      variant="ghost"
      ask={{ title: t('lift.title'), text: t('lift.body'), yes: t('lift.confirm') }}
      saving={{
        send: () => api('DELETE /api/protections/[id]', { params: { id } }),
        done: t('lift.done'),
        refresh: 'all',
        refreshFirst: true,
      }}
    />
  )
}

type ProtectDialogProps = ShieldProps & { choices: Addresses; onClose: () => void }

function ProtectDialog({ contactId, rights, choices, onClose }: ProtectDialogProps) {
  const t = useTranslations('rights.form')
  const [addresses, setAddresses] = useState(choices)
  const [people, setPeople] = useState<readonly string[]>(rights.protection?.people ?? [])
  const [reason, setReason] = useState('')
  const leave = useLeaveUnnamed()
  const saving = useSaveForm({
    values: { contact: contactId, ...addresses, people: [...people], reason: reason.trim() },
    errors: {
      noAddress: hasAddress(choices) && !hasAddress(addresses) ? t('noAddress') : null,
      noPeople: people.length === 0 ? t('noPeople') : null,
      noReason: reason.trim() === '' ? t('noReason') : null,
    },
    send: (body) => api('POST /api/protections', { body }),
    done: t('done'),
    failed: (error) =>
      hasStatus(error, 409) ? t(rights.leads.length > MAX_LEADS_OF_PERSON ? 'tooMany' : 'taken') : undefined,
    refresh: 'all',
    refreshFirst: true,
    onSaved: (_, given) => (leave(given.people), onClose()),
  })
  const noPeople = saving.errorOf('noPeople')
  const problem = saving.errorOf('noAddress') ?? noPeople ?? saving.problem
  const box = (field: keyof Addresses) => (text: string) => (
    <Checkbox
      key={text}
      label={<bdi className="tabular">{field === 'phones' ? displayPhone(text) : text}</bdi>}
      checked={addresses[field].includes(text)}
      onChange={(isOn) => {
        const others = addresses[field].filter((other) => other !== text)
        setAddresses({ ...addresses, [field]: isOn ? [...others, text] : others })
      }}
    />
  )
  return (
    <Dialog onClose={onClose} title={t('title')}>
      <DialogForm saving={{ ...saving, problem }} save={t('save')} onClose={onClose}>
        <p className="text-sm text-mute">{t('what')}</p>
        {hasAddress(choices) && (
          <fieldset>
            <legend className="mb-1 text-sm font-medium">{t('addresses')}</legend>
            {choices.emails.map(box('emails'))}
            {choices.phones.map(box('phones'))}
          </fieldset>
        )}
        <PeopleChoice chosen={people} isWrong={noPeople !== undefined} onChange={setPeople} />
        <TextField
          label={t('reason')}
          hint={t('reasonHint')}
          error={saving.errorOf('noReason')}
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </DialogForm>
    </Dialog>
  )
}

/** A user who is not named, or no longer, cannot see this contact any more. */
function useLeaveUnnamed(before?: readonly string[]): (people: readonly string[]) => void {
  const navigate = useNavigate()
  const me = useCurrentUser()
  return (people) => {
    const couldSee = me !== null && before?.includes(me.id) !== false
    if (couldSee && !people.includes(me.id)) navigate('/admin/protections')
  }
}

type PeopleProps = { id: string; people: readonly string[] }

/** Changes who is shown the person; open to administrators who are not. */
export function PeopleButton({ text, id, people }: PeopleProps & { text: string }) {
  return (
    <DialogButton text={text} size="sm" dialog={(close) => <PeopleDialog id={id} people={people} onClose={close} />} />
  )
}

function PeopleDialog({ id, people: before, onClose }: PeopleProps & { onClose: () => void }) {
  const t = useTranslations('rights.form')
  const [chosen, setChosen] = useState<readonly string[]>(before)
  const leave = useLeaveUnnamed(before)
  const saving = useSaveForm({
    values: { people: [...chosen] },
    errors: { noPeople: chosen.length === 0 ? t('noPeople') : null },
    send: (body) => api('PATCH /api/protections/[id]', { params: { id }, body }),
    done: t('changed'),
    refresh: 'all',
    refreshFirst: true,
    onSaved: (_, given) => (leave(given.people), onClose()),
  })
  const noPeople = saving.errorOf('noPeople')
  return (
    <Dialog onClose={onClose} title={t('changeTitle')}>
      <DialogForm saving={{ ...saving, problem: noPeople ?? saving.problem }} onClose={onClose}>
        <PeopleChoice chosen={chosen} isWrong={noPeople !== undefined} onChange={setChosen} />
      </DialogForm>
    </Dialog>
  )
}

type PeopleChoiceProps = { chosen: readonly string[]; isWrong: boolean; onChange: (people: readonly string[]) => void }

function PeopleChoice({ chosen, isWrong, onChange }: PeopleChoiceProps) {
  const t = useTranslations('rights.form')
  const me = useCurrentUser()
  const { data } = useQuery(peopleQuery)
  return (
    <>
      <fieldset data-invalid={isWrong ? '' : undefined}>
        <legend className="mb-1.5 text-sm font-medium">{t('people')}</legend>
        <ChoiceList
          look="form"
          className={cn('rounded-md border bg-panel', isWrong ? 'border-danger' : 'border-field-line')}
          choices={(data?.people ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          chosen={chosen}
          words={{ find: t('find') }}
          onChange={onChange}
        />
      </fieldset>
      {me !== null && chosen.includes(me.id) && <Notice size="xs">{t('self')}</Notice>}
    </>
  )
}
