import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { useFirstFault } from '@/components/admin/first-fault'
import { useCurrentUser } from '@/components/desk/current-user'
import { useGo } from '@/components/desk/go'
import { Button } from '@/components/ui/button'
import { ChoiceList } from '@/components/ui/choice-list'
import { cn } from '@/components/ui/cn'
import { Dialog } from '@/components/ui/dialog'
import { FormFrame } from '@/components/ui/dialog-frame'
import { Field, Input } from '@/components/ui/field'
import { Notice } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/api/call'
import { ApiError } from '@/lib/api/send'
import { displayPhone } from '@/lib/contacts/phone'
import { MOST_LEADS_OF_ONE } from '@/lib/contacts/contact-leads'
import type { ContactRights } from '@/lib/contract/rights'
import { NamingTexts } from './naming-texts'

type ProtectDialogProps = { contactId: string; rights: ContactRights; onClose: () => void }
type Addresses = { emails: string[]; phones: string[] }
type Fault = 'noAddress' | 'noPeople' | 'noReason'

/** By what the person is recognised, who is shown who it is, and why: for a new protection, and for one that is there. */
export function ProtectDialog({ contactId, rights, onClose }: ProtectDialogProps) {
  const t = useTranslations('rights.form')
  const common = useTranslations('common')
  const { protection } = rights
  const all = everyAddress(rights)
  const [by, setBy] = useState<Addresses>(protection ?? all)
  const [people, setPeople] = useState<readonly string[]>(protection?.people ?? [])
  const [reason, setReason] = useState(protection?.reason ?? '')
  const [isChecked, setChecked] = useState(false)
  const fault = faultOf({ by, all, people, reason: protection === null ? reason : 'kept' })
  const { mutate, isPending, problem } = useSave({ contactId, rights, onClose })
  const me = useCurrentUser()
  const { form, show } = useFirstFault()
  const wrong = isChecked ? fault : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (fault === null) mutate({ ...by, people: [...people], reason: reason.trim() })
    else show()
  }
  return (
    <Dialog open onClose={onClose} title={t(protection === null ? 'title' : 'changeTitle')}>
      <form ref={form} noValidate onSubmit={submit} className="flex min-h-0 flex-col">
        <FormFrame
          problem={wrong === null || wrong === 'noReason' ? problem : t(wrong)}
          actions={
            <>
              <Button onClick={onClose}>{common('cancel')}</Button>
              <Button type="submit" variant="primary" busy={isPending}>
                {t(protection === null ? 'save' : 'change')}
              </Button>
            </>
          }
        >
          <p className="text-sm text-mute">{t('what')}</p>
          <AddressChoice all={all} by={by} onChange={setBy} />
          <PeopleChoice people={rights.people} chosen={people} isWrong={wrong === 'noPeople'} onChange={setPeople} />
          {me !== null && people.includes(me.id) && <Notice size="xs">{t('self')}</Notice>}
          <NamingTexts rights={rights} leads={knownBy(rights, by)} />
          {protection === null && <ReasonField reason={reason} isWrong={wrong === 'noReason'} onChange={setReason} />}
        </FormFrame>
      </form>
    </Dialog>
  )
}

type ReasonFieldProps = { reason: string; isWrong: boolean; onChange: (reason: string) => void }

function ReasonField({ reason, isWrong, onChange }: ReasonFieldProps) {
  const t = useTranslations('rights.form')
  return (
    <Field label={t('reason')} hint={t('reasonHint')} error={isWrong ? t('noReason') : undefined}>
      {(attributes) => (
        <Input {...attributes} maxLength={500} value={reason} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  )
}

/** Those of the leads, and those that are protected although no lead has them now. */
function everyAddress({ emails, phones, protection }: ContactRights): Addresses {
  return {
    emails: [...new Set([...emails, ...(protection?.emails ?? [])])],
    phones: [...new Set([...phones, ...(protection?.phones ?? [])])],
  }
}

/** The leads that the person is known by so; all of who left no address. */
function knownBy({ leads, emails, phones }: ContactRights, by: Addresses): ContactRights['leads'] {
  if (emails.length + phones.length === 0) return leads
  return leads.filter(
    ({ email, phone }) =>
      (email !== null && by.emails.includes(email)) || (phone !== null && by.phones.includes(phone)),
  )
}

type Filled = { by: Addresses; all: Addresses; people: readonly string[]; reason: string }

function faultOf({ by, all, people, reason }: Filled): Fault | null {
  const isPossible = all.emails.length + all.phones.length > 0
  if (isPossible && by.emails.length + by.phones.length === 0) return 'noAddress'
  if (people.length === 0) return 'noPeople'
  return reason.trim() === '' ? 'noReason' : null
}

function useSave({ contactId, rights: { protection, leads }, onClose }: ProtectDialogProps) {
  const t = useTranslations('rights.form')
  const client = useQueryClient()
  const go = useGo()
  const me = useCurrentUser()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ emails, phones, people, reason }: Addresses & { people: string[]; reason: string }) => {
      const addresses = { contact: contactId, emails, phones }
      if (protection === null) await api('POST /api/protections', { body: { ...addresses, people, reason } })
      else await api('PATCH /api/protections/[id]', { params: { id: protection.id }, body: { people, addresses } })
    },
    onSuccess: async (_, { people }) => {
      // Whoever is not among those named has lost sight of the person with this answer: what is left to see is elsewhere.
      if (me !== null && !people.includes(me.id)) go('/admin/protections')
      await client.invalidateQueries()
      toast(t(protection === null ? 'done' : 'changed'))
      onClose()
    },
  })
  const isRefused = error instanceof ApiError && error.status === 409
  const refusal = leads.length > MOST_LEADS_OF_ONE ? 'tooMany' : 'taken'
  return { mutate, isPending, problem: error === null ? null : t(isRefused ? refusal : 'failed') }
}

function AddressChoice({ all, by, onChange }: { all: Addresses; by: Addresses; onChange: (by: Addresses) => void }) {
  const t = useTranslations('rights.form')
  if (all.emails.length + all.phones.length === 0) return null
  const toggle = (field: keyof Addresses, text: string) => {
    const left = by[field].filter((one) => one !== text)
    onChange({ ...by, [field]: left.length < by[field].length ? left : [...left, text] })
  }
  const box = (field: keyof Addresses) => (text: string) => (
    <label key={text} className="flex min-h-8 items-center gap-2.5 text-sm touch:min-h-11">
      <input
        type="checkbox"
        className="size-4 shrink-0"
        checked={by[field].includes(text)}
        onChange={() => toggle(field, text)}
      />
      <bdi className="tabular min-w-0 wrap-anywhere">{field === 'phones' ? displayPhone(text) : text}</bdi>
    </label>
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

/** Colleagues who read leads, any number of them. */
export function PeopleChoice({ people, chosen, isWrong = false, onChange }: PeopleChoiceProps) {
  const t = useTranslations('rights.form')
  return (
    <fieldset data-invalid={isWrong ? '' : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{t('people')}</legend>
      <ChoiceList
        look="form"
        className={cn('rounded-md border bg-panel', isWrong ? 'border-danger' : 'border-field-line')}
        choices={people.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={chosen}
        words={{ find: t('find'), none: t('noneFound') }}
        onChange={onChange}
      />
    </fieldset>
  )
}
