'use client'

import { ChevronRight } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field, Input } from '@/components/ui/field'
import { Spinner } from '@/components/ui/loading'
import { Notice } from '@/components/ui/notice'
import { type SignInResult, signInWithPassword, singleSignOnUrl } from '@/lib/api/auth-requests'
import { shortDuration } from '@/lib/time/format-time'
import { PasswordInput } from './password-input'

type SignInFormProps = {
  /** A path of ours. */
  callbackUrl: string
  error: string | null
  notice: string | null
  provider: { name: string; isDown: boolean } | null
  /** Whether the provider is to be asked for another account, too: the one it knows has just left, or may not come in. */
  otherAccount: boolean
  isDemo: boolean
}

/** Signing in with a password or by the provider; in the demo also as one of its accounts. */
export function SignInForm({
  callbackUrl,
  error: firstError,
  notice,
  provider,
  otherAccount,
  isDemo,
}: SignInFormProps) {
  const t = useTranslations('signin')
  const { busy, error, withPassword, withProvider } = useSignIn(callbackUrl, firstError)
  return (
    <div className="flex flex-col gap-5">
      {error ? (
        <Notice tone="danger" role="alert">
          {error}
        </Notice>
      ) : (
        notice && (
          <Notice tone="plain" role="status">
            {notice}
          </Notice>
        )
      )}
      {provider && (
        <ProviderWay
          {...provider}
          busy={busy}
          onChoose={() => void withProvider()}
          onOther={otherAccount ? () => void withProvider(true) : null}
        />
      )}
      <PasswordForm
        variant={provider && !provider.isDown ? 'secondary' : 'primary'}
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

type ProviderWayProps = {
  name: string
  isDown: boolean
  busy: Way | null
  onChoose: () => void
  onOther: (() => void) | null
}

/** By single sign-on. While the provider is known to be away it can be tried all the same: it may just have come back. */
function ProviderWay({ name, isDown, busy, onChoose, onOther }: ProviderWayProps) {
  const t = useTranslations('signin')
  return (
    <>
      <div className="flex flex-col gap-2">
        {isDown && <Notice role="status">{t('providerDown', { name })}</Notice>}
        <Button
          variant={isDown ? 'secondary' : 'primary'}
          size="lg"
          busy={busy === 'provider'}
          disabled={busy !== null}
          onClick={onChoose}
        >
          {t('withProvider', { name })}
        </Button>
        {onOther && (
          <Button variant="ghost" size="lg" disabled={busy !== null} onClick={onOther}>
            {t('otherAccount')}
          </Button>
        )}
      </div>
      <Divider>{t('or')}</Divider>
    </>
  )
}

type Way = 'password' | 'provider' | (string & {})

/** Signing in, what is under way (a way or an account's e-mail) and what went wrong. */
function useSignIn(callbackUrl: string, firstError: string | null) {
  const t = useTranslations('signin.error')
  const locale = useLocale()
  const [busy, setBusy] = useState<Way | null>(null)
  const [error, setError] = useState(firstError)

  const withPassword = async (email: string, password: string, way: Way = 'password') => {
    setBusy(way)
    setError(null)
    const result = await signInWithPassword({ email, password, callbackUrl })
    // A whole new page, so that nothing of the time before signing in is kept.
    if (result.ok) return location.assign(result.path)
    setBusy(null)
    setError(wordsFor(result))
  }
  const withProvider = async (otherAccount = false) => {
    setBusy('provider')
    setError(null)
    const url = await singleSignOnUrl(callbackUrl, { otherAccount })
    if (url !== null) return location.assign(url)
    setBusy(null)
    setError(t('unreachable'))
  }
  const wordsFor = (result: Extract<SignInResult, { ok: false }>) =>
    'retryAfterSeconds' in result
      ? t(result.reason, { time: shortDuration(result.retryAfterSeconds * 1000, locale) })
      : t(result.reason)
  return { busy, error, withPassword, withProvider }
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

const accounts = [
  { role: 'staff', email: 'staff@demo.test' },
  { role: 'manager', email: 'manager@demo.test' },
  { role: 'admin', email: 'admin@demo.test' },
] as const

type DemoAccountsProps = { busy: string | null; onChoose: (email: string) => void }

/** The three accounts of the demo, one press each. */
function DemoAccounts({ busy, onChoose }: DemoAccountsProps) {
  const t = useTranslations('signin.demo')
  const common = useTranslations('common')
  return (
    <section aria-labelledby="demo-accounts" className="mt-3">
      <h2 id="demo-accounts" className="text-sm font-semibold">
        {t('title')}
      </h2>
      <p className="mb-3 text-xs text-mute">{t('body')}</p>
      <ul className="divide-y divide-line-soft overflow-hidden rounded-lg border border-line bg-panel shadow-card">
        {accounts.map(({ role, email }) => (
          <li key={role}>
            <button
              type="button"
              disabled={busy !== null}
              onClick={() => onChoose(email)}
              className="flex min-h-14 w-full items-center gap-3 px-4 py-2.5 text-left -outline-offset-2 transition-colors hover:bg-hover disabled:opacity-60"
            >
              <span className="flex-1">
                <span className="block text-sm font-medium">{common(`role.${role}`)}</span>
                <span className="block text-xs text-mute">{t(role)}</span>
              </span>
              {busy === email ? <Spinner /> : <ChevronRight className="size-4 text-faint" aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
