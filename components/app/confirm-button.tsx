import type { ComponentProps } from 'react'
import type { Button } from '@/components/ui/button'
import { ConfirmDialog, type ConfirmProps, DialogButton } from '@/components/ui/dialog'
import { type SaveOptions, useSaveMutation } from './use-save'

type ConfirmSaveProps<Answer> = {
  texts: Pick<ConfirmProps, 'text' | 'yes' | 'no'> & { title: string }
  saving: SaveOptions<void, Answer>
}

export function ConfirmButton<Answer>(props: ConfirmSaveProps<Answer> & ComponentProps<typeof Button>) {
  const { texts, saving, ...button } = props
  const openDialog = (close: () => void) => <ConfirmSaveDialog texts={texts} saving={saving} onClose={close} />
  return <DialogButton {...button} dialog={openDialog} />
}

function ConfirmSaveDialog<Answer>({ texts, saving, onClose }: ConfirmSaveProps<Answer> & { onClose: () => void }) {
  const onSaved = (answer: Answer) => {
    onClose()
    saving.onSaved?.(answer)
  }
  const { save, busy, problem } = useSaveMutation({ ...saving, onSaved })
  return <ConfirmDialog {...texts} busy={busy} problem={problem} onYes={() => save()} onNo={onClose} />
}
