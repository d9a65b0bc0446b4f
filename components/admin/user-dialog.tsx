import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { FormFrame } from '@/components/ui/dialog-frame'
import { Field, Input } from '@/components/ui/field'
import { api } from '@/lib/api/call'
import type { NewUser, Role, SchoolScope, User } from '@/lib/contract/user'
import { EditUserForm } from './edit-user-form'
import { useFirstFault } from './first-fault'
import { isForbidden, refreshUsers } from './user-change'
import { faultsOf, refusedField, type UserFaults } from './user-faults'
import { RoleField, SchoolField } from './user-fields'
import { type Invitation, InvitationLink } from './user-invitation'

/** Adds a person, or changes one. What was written is kept until it is saved or put aside on purpose. */
export function UserDialog({ edited, onClose }: { edited: User | 'new' | null; onClose: () => void }) {
  const t = useTranslations('adminUsers')
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const [title, setTitle] = useState<string | null>(null)
  if (edited === null) return null
  const plain = edited === 'new' ? t('addTitle') : t('editTitle', { name: edited.name })
  const shown =
    invitation === null ? (title ?? plain) : t(invitation.isReset ? 'resetTitle' : 'invited', { name: invitation.name })
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
  const [role, setRole] = useState<Role>('staff')
  const [schools, setSchools] = useState<SchoolScope>([])
  const { form, faults, problem, isPending, invite } = useInvite(onInvited)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    invite({ name: String(data.get('name')).trim(), email: String(data.get('email')).trim(), role, schools })
  }
  const emailErrors = { wrong: t('emailWrong'), taken: t('emailTaken') }
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex min-h-0 flex-col">
      <FormFrame
        problem={problem}
        actions={
          <>
            <Button onClick={onClose}>{common('cancel')}</Button>
            <Button type="submit" variant="primary" busy={isPending}>
              {t('invite')}
            </Button>
          </>
        }
      >
        <PersonFields isNameMissing={faults.name === true} emailError={faults.email && emailErrors[faults.email]} />
        <RoleField role={role} onRole={setRole} />
        <SchoolField
          schools={schools}
          error={faults.schools && schools.length === 0 ? t('schools.none') : undefined}
          onSchools={setSchools}
        />
      </FormFrame>
    </form>
  )
}

/** Sends what has no fault; what is wrong, here or by the server's word, is told at its field, which gets the focus. */
function useInvite(onInvited: AddUserFormProps['onInvited']) {
  const t = useTranslations('adminUsers')
  const client = useQueryClient()
  const [faults, setFaults] = useState<UserFaults>({})
  const { form, show } = useFirstFault()
  const tell = (found: UserFaults): boolean => {
    setFaults(found)
    const isWrong = Object.keys(found).length > 0
    if (isWrong) show()
    return isWrong
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: NewUser) => api('POST /api/users', { body }),
    onError: (failure) => tell(refusedField(failure)),
    onSuccess: ({ inviteUrl }, { name }) => {
      onInvited({ name, url: inviteUrl, isReset: false })
      return refreshUsers(client)
    },
  })
  const isAtField = Object.keys(refusedField(error)).length > 0
  return {
    form,
    faults,
    problem: error === null || isAtField ? null : t(isForbidden(error) ? 'notAllowed' : 'saveFailed'),
    isPending,
    invite: (person: NewUser) => void (tell(faultsOf(person)) || mutate(person)),
  }
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
