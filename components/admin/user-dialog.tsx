import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { FormFrame } from '@/components/ui/dialog-frame'
import { Field, Input } from '@/components/ui/field'
import { createUser, users } from '@/lib/api/administration'
import { ApiError } from '@/lib/api/send'
import type { Role, SchoolScope, User } from '@/lib/contract/user'
import { EditUserForm } from './edit-user-form'
import { RoleField, SchoolField } from './user-fields'
import { type Invitation, InvitationLink } from './user-invitation'

/** Adds a person, or changes one. What was written is kept until it is saved or put aside on purpose. */
export function UserDialog({ edited, onClose }: { edited: User | 'new' | null; onClose: () => void }) {
  const t = useTranslations('adminUsers')
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const [title, setTitle] = useState<string | null>(null)
  if (edited === null) return null
  const plain = edited === 'new' ? t('addTitle') : t('editTitle', { name: edited.name })
  const shown = invitation === null ? (title ?? plain) : t('invited', { name: invitation.name })
  return (
    <Dialog open onClose={onClose} title={shown}>
      {invitation !== null ? (
        <InvitationLink invitation={invitation} onDone={onClose} />
      ) : edited === 'new' ? (
        <AddUserForm onInvited={setInvitation} onClose={onClose} />
      ) : (
        <EditUserForm user={edited} onTitle={setTitle} onInvited={setInvitation} onClose={onClose} />
      )}
    </Dialog>
  )
}

type AddUserFormProps = { onInvited: (invitation: Invitation) => void; onClose: () => void }

/** A new person gets a link to set a password with. */
function AddUserForm({ onInvited, onClose }: AddUserFormProps) {
  const t = useTranslations('adminUsers')
  const common = useTranslations('common')
  const client = useQueryClient()
  const [role, setRole] = useState<Role>('staff')
  const [schools, setSchools] = useState<SchoolScope>([])
  const [faults, setFaults] = useState<Faults>({})
  const { mutate, isPending, error } = useMutation({
    mutationFn: createUser,
    onSuccess: ({ inviteUrl = '' }, { name }) => {
      onInvited({ name, url: inviteUrl })
      return client.invalidateQueries({ queryKey: users.queryKey })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const person = { name: String(form.get('name')).trim(), email: String(form.get('email')).trim(), role, schools }
    const found = faultsOf(person)
    setFaults(found)
    if (Object.keys(found).length === 0) mutate(person)
  }
  const isTaken = error instanceof ApiError && error.status === 409
  const emailError = faults.email ? t('emailWrong') : isTaken ? t('emailTaken') : undefined
  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
      <FormFrame
        problem={error !== null && !isTaken ? t('saveFailed') : null}
        actions={
          <>
            <Button onClick={onClose}>{common('cancel')}</Button>
            <Button type="submit" variant="primary" busy={isPending}>
              {t('invite')}
            </Button>
          </>
        }
      >
        <PersonFields isNameMissing={faults.name === true} emailError={emailError} />
        <RoleField role={role} onRole={setRole} />
        <SchoolField schools={schools} error={faults.schools && t('schools.none')} onSchools={setSchools} />
      </FormFrame>
    </form>
  )
}

type PersonFieldsProps = { isNameMissing: boolean; emailError: string | undefined }

function PersonFields({ isNameMissing, emailError }: PersonFieldsProps) {
  const t = useTranslations('adminUsers')
  return (
    <>
      <Field label={t('field.name')} error={isNameMissing ? t('nameMissing') : undefined}>
        {(attributes) => <Input {...attributes} name="name" autoComplete="off" maxLength={100} autoFocus />}
      </Field>
      <Field label={t('field.email')} error={emailError}>
        {(attributes) => <Input {...attributes} name="email" type="email" autoComplete="off" maxLength={200} />}
      </Field>
    </>
  )
}

type Faults = { name?: true; email?: true; schools?: true }

function faultsOf({ name, email, schools }: { name: string; email: string; schools: SchoolScope }): Faults {
  return {
    ...(name === '' && { name: true }),
    ...(!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && { email: true }),
    ...(schools.length === 0 && { schools: true }),
  }
}
