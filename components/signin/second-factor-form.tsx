import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import type { SigningIn } from './use-sign-in'

export function SecondFactorForm({ signIn }: { signIn: SigningIn }) {
  const t = useTranslations('signin.factor')
  const { busy } = signIn
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void signIn.withCode(String(new FormData(event.currentTarget).get('code')))
  }
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={t('code')}
        hint={t('hint')}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        required
        maxLength={40}
        autoFocus
        className="tabular"
      />
      <Button
        text={t('submit')}
        type="submit"
        variant="primary"
        size="lg"
        busy={busy === 'code'}
        disabled={busy !== null}
      />
      <Button text={t('back')} variant="ghost" onClick={signIn.startOver} />
    </form>
  )
}
