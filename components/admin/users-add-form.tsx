'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { ApiError } from '@/lib/api/api-error'
import { createUser, users } from '@/lib/api/users'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { UsersFormFrame } from './users-form-frame'
import type { Invitation } from './users-invitation'
import { UsersRoleField } from './users-role-field'
import { UsersSchoolField } from './users-school-field'

type UsersAddFormProps = { onInvited: (invitation: Invitation) => void; onClose: () => void }

/** A new person gets a link to set a password with. */
export function UsersAddForm({ onInvited, onClose }: UsersAddFormProps) {
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
      <UsersFormFrame
        failure={error !== null && !isTaken ? t('saveFailed') : null}
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
        <UsersRoleField role={role} onRole={setRole} />
        <UsersSchoolField
          schools={schools}
          error={faults.schools ? t('schools.none') : undefined}
          onSchools={setSchools}
        />
      </UsersFormFrame>
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
