import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { NewPasswordFields, useNewPassword } from '@/components/signin/new-password-fields'
import { PasswordInput } from '@/components/signin/password-input'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { ProblemText } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { api, keyOf } from '@/lib/api/call'
import { ApiError } from '@/lib/api/send'
import type { PasswordChange } from '@/lib/contract/user'
import { AccountSection } from './account-section'

export function PasswordSection({ email }: { email: string }) {
  const t = useTranslations('account.password')
  const [isOpen, setOpen] = useState(false)
  return (
    <AccountSection id="password" title={t('title')} hint={t('body')}>
      {isOpen ? (
        <PasswordForm email={email} onDone={() => setOpen(false)} />
      ) : (
        <Button onClick={() => setOpen(true)}>{t('change')}</Button>
      )}
    </AccountSection>
  )
}

function PasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const t = useTranslations('account.password')
  const common = useTranslations('common')
  const client = useQueryClient()
  const { fields, read, refused } = useNewPassword()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: PasswordChange) => api('POST /api/account/password', { body }),
    onError: refused,
    onSuccess: () => {
      toast(t('changed'))
      onDone()
      return client.invalidateQueries({ queryKey: keyOf('GET /api/account/sessions') })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const password = read(form)
    if (password !== null) mutate({ current: String(form.get('current')), password })
  }
  const fault = faultOf(error)
  return (
    <form
      method="post"
      onSubmit={submit}
      className="flex max-w-md flex-col gap-4 rounded-lg border border-line bg-panel p-4 shadow-card"
    >
      {/* For password managers: whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label={t('current')} error={fault === 'wrong' ? t('wrong') : undefined}>
        {(attributes) => (
          <PasswordInput {...attributes} name="current" autoComplete="current-password" required autoFocus />
        )}
      </Field>
      <NewPasswordFields {...fields} />
      <ProblemText text={fault === null || fault === 'wrong' ? null : t(fault)} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>{common('cancel')}</Button>
        <Button type="submit" variant="primary" busy={isPending}>
          {t('change')}
        </Button>
      </div>
    </form>
  )
}

function faultOf(error: unknown): 'wrong' | 'tooMany' | 'failed' | null {
  if (error === null) return null
  if (!(error instanceof ApiError)) return 'failed'
  if (error.status === 429) return 'tooMany'
  if (error.reason === 'wrong') return 'wrong'
  return error.status === 400 ? null : 'failed'
}
