import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ConfirmButton } from '@/components/app/confirm-button'
import { useCurrentUser } from '@/components/app/current-user'
import { useNavigate } from '@/components/app/navigate'
import { DialogForm, useSaveForm } from '@/components/app/save-form'
import { ChoiceList } from '@/components/ui/choice-list'
import { cn } from '@/components/ui/cn'
import { Dialog, DialogButton } from '@/components/ui/dialog'
import { Checkbox, TextField } from '@/components/ui/field'
import { LoadFailure } from '@/components/ui/load-failure'
import { Notice } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { peopleQuery } from '@/lib/api/queries'
import { hasStatus } from '@/lib/api/send'
import { formatPhone } from '@/lib/contacts/plain-phone'
import type { ContactRights } from '@/lib/contract/rights'

const MAX_REASON_LENGTH = 500

type Addresses = Pick<ContactRights, 'emails' | 'phones'>

/** Begins, changes and lifts a protection. An e-mail or phone that arrived after it began can be protected, too. */
export function ProtectionControls({ contactId, rights }: { contactId: string; rights: ContactRights }) {
  const t = useTranslations('rights.shield')
  const { protection } = rights
  const unprotectedAddresses: Addresses = {
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
        {(protection === null || unprotectedAddresses.emails.length + unprotectedAddresses.phones.length > 0) && (
          <DialogButton
            text={t(protection === null ? 'protect' : 'protectMore')}
            size="sm"
            dialog={(close) => (
              <ProtectionDialog
                target={{ kind: 'new', contactId, ...unprotectedAddresses }}
                initialUserIds={protection?.people ?? []}
                onClose={close}
              />
            )}
          />
        )}
        {protection !== null && <NamedUsersButton text={t('change')} id={protection.id} userIds={protection.people} />}
        {protection !== null && <LiftProtectionButton id={protection.id} />}
      </div>
    </>
  )
}

export function LiftProtectionButton({ id }: { id: string }) {
  const t = useTranslations('rights')
  return (
    <ConfirmButton
      text={t('shield.lift')}
      size="sm"
      variant="ghost"
      texts={{ title: t('lift.title'), text: t('lift.body'), yes: t('lift.confirm') }}
      saving={{
        send: () => api('DELETE /api/protections/[id]', { params: { id } }),
        successMessage: t('lift.done'),
        invalidate: 'all',
      }}
    />
  )
}

/** Changes which users may see the person. An administrator may do so without being one of them. */
export function NamedUsersButton({ text, id, userIds }: { text: string; id: string; userIds: readonly string[] }) {
  return (
    <DialogButton
      text={text}
      size="sm"
      dialog={(close) => <ProtectionDialog target={{ kind: 'saved', id }} initialUserIds={userIds} onClose={close} />}
    />
  )
}

type ProtectionDialogProps = {
  target: ({ kind: 'new'; contactId: string } & Addresses) | { kind: 'saved'; id: string }
  initialUserIds: readonly string[]
  onClose: () => void
}

function ProtectionDialog({ target, initialUserIds, onClose }: ProtectionDialogProps) {
  const t = useTranslations('rights.form')
  const navigate = useNavigate()
  const ownId = useCurrentUser()?.id ?? ''
  const { data, isError, refetch } = useQuery(peopleQuery)
  const isNew = target.kind === 'new'
  const { emails, phones }: Addresses = isNew ? target : { emails: [], phones: [] }
  const offeredAddresses = [...emails, ...phones]
  const [addresses, setAddresses] = useState<readonly string[]>(offeredAddresses)
  const [userIds, setUserIds] = useState(initialUserIds)
  const [reason, setReason] = useState('')
  const isChosen = (address: string) => addresses.includes(address)
  const saving = useSaveForm({
    values: { emails: emails.filter(isChosen), phones: phones.filter(isChosen), people: [...userIds], reason },
    errors: {
      addresses: offeredAddresses.length > 0 && addresses.length === 0 ? t('noAddress') : null,
      people: userIds.length === 0 ? t('noPeople') : null,
      reason: isNew && reason.trim() === '' ? t('noReason') : null,
    },
    send: async (values): Promise<unknown> =>
      target.kind === 'new'
        ? api('POST /api/protections', { body: { ...values, contact: target.contactId } })
        : api('PATCH /api/protections/[id]', { params: { id: target.id }, body: { people: values.people } }),
    successMessage: t(isNew ? 'done' : 'changed'),
    failureMessage: (error) => (hasStatus(error, 409) ? t('taken') : undefined),
    invalidate: 'all',
    onSaved: () => {
      // A user who is not named may no longer see the contact's page.
      if (!userIds.includes(ownId)) navigate('/admin/users#protections')
      onClose()
    },
  })
  const addressError = saving.getFieldError('addresses')
  const peopleError = saving.getFieldError('people')
  const problem = addressError ?? peopleError ?? saving.problem
  return (
    <Dialog onClose={onClose} title={t(isNew ? 'title' : 'changeTitle')}>
      <DialogForm saving={{ ...saving, problem }} saveLabel={isNew ? t('save') : undefined} onClose={onClose}>
        {isNew && <p className="text-sm text-mute">{t('what')}</p>}
        {offeredAddresses.length > 0 && (
          <fieldset data-invalid={addressError === undefined ? undefined : ''}>
            <legend className="mb-1 text-sm font-medium">{t('addresses')}</legend>
            {offeredAddresses.map((address) => (
              <Checkbox
                key={address}
                label={<bdi className="tabular">{phones.includes(address) ? formatPhone(address) : address}</bdi>}
                checked={isChosen(address)}
                onChange={(isChecked) =>
                  setAddresses(isChecked ? [...addresses, address] : addresses.filter((other) => other !== address))
                }
              />
            ))}
          </fieldset>
        )}
        <fieldset data-invalid={peopleError === undefined ? undefined : ''}>
          <legend className="mb-1.5 text-sm font-medium">{t('people')}</legend>
          {isError && <LoadFailure onRetry={refetch} />}
          <ChoiceList
            variant="form"
            className={cn('rounded-md border bg-panel', peopleError ? 'border-danger' : 'border-field-line')}
            choices={data?.people.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            chosen={userIds}
            searchLabel={t('find')}
            onChange={setUserIds}
          />
        </fieldset>
        {userIds.includes(ownId) && <Notice size="xs">{t('self')}</Notice>}
        {isNew && (
          <TextField
            label={t('reason')}
            hint={t('reasonHint')}
            error={saving.getFieldError('reason')}
            maxLength={MAX_REASON_LENGTH}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        )}
      </DialogForm>
    </Dialog>
  )
}
