'use client'

import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { DemoAccounts } from './demo-accounts'
import { Notice } from './notice'
import { PasswordInput } from './password-input'
import { useSignIn } from './use-sign-in'

type SignInFormProps = {
  /** A path of ours. */
  callbackUrl: string
  error: string | null
  notice: string | null
  provider: string | null
  isDemo: boolean
}

export function SignInForm({ callbackUrl, error: firstError, notice, provider, isDemo }: SignInFormProps) {
  const t = useTranslations('signin')
  const { busy, error, withPassword, withProvider } = useSignIn(callbackUrl, firstError)
  return (
    <div className="flex flex-col gap-5">
      {error ? <Notice tone="danger">{error}</Notice> : notice && <Notice tone="plain">{notice}</Notice>}
      {provider && (
        <>
          <Button
            variant="primary"
            size="lg"
            busy={busy === 'provider'}
            disabled={busy !== null}
            onClick={() => void withProvider()}
          >
            {t('withProvider', { name: provider })}
          </Button>
          <Divider>{t('or')}</Divider>
        </>
      )}
      <PasswordForm
        variant={provider ? 'secondary' : 'primary'}
        busy={busy === 'password'}
        disabled={busy !== null}
        onSubmit={(email, password) => void withPassword(email, password)}
      />
      {isDemo ? (
        <DemoAccounts busy={busy} onChoose={(email) => void withPassword(email, 'demo', email)} />
      ) : (
        <p className="text-xs text-mute">{t('forgotten')}</p>
      )}
    </div>
  )
}

type PasswordFormProps = {
  variant: 'primary' | 'secondary'
  busy: boolean
  disabled: boolean
  onSubmit: (email: string, password: string) => void
}

/** The method keeps the password out of the address should the form be sent before the script has come. */
function PasswordForm({ variant, busy, disabled, onSubmit }: PasswordFormProps) {
  const t = useTranslations('signin')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onSubmit(String(form.get('email')), String(form.get('password')))
  }
  return (
    <form method="post" action="/api/auth/callback/credentials" onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t('email')}>
        {(attributes) => (
          <Input {...attributes} name="email" type="email" autoComplete="username" required maxLength={200} />
        )}
      </Field>
      <Field label={t('password')}>
        {(attributes) => (
          <PasswordInput {...attributes} name="password" autoComplete="current-password" required maxLength={200} />
        )}
      </Field>
      <Button type="submit" variant={variant} size="lg" className="mt-1" busy={busy} disabled={disabled}>
        {t('submit')}
      </Button>
    </form>
  )
}

function Divider({ children }: { children: string }) {
  return (
    <div className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </div>
  )
}
