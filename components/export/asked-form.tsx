'use client'

import type { ReactNode } from 'react'
import { FormProblem } from './form-problem'
import { MinorsCheck } from './minors-check'
import { PurposeField } from './purpose-field'
import { showFirstMissing } from './show-first-missing'
import type { useExportForm } from './use-export-form'

type AskedFormProps = {
  id: string
  form: ReturnType<typeof useExportForm>
  problem: string | null
  onSubmit: () => void
  children: ReactNode
}

/** What stands in every form by which leads leave: after its own fields the purpose, and a thought for the young. */
export function AskedForm({ id, form, problem, onSubmit, children }: AskedFormProps) {
  return (
    <form
      id={id}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
        showFirstMissing(event.currentTarget)
      }}
    >
      {children}
      <PurposeField purpose={form.purpose} error={form.purposeError} onChange={form.setPurpose} />
      {form.asksForThought && form.tally && (
        <MinorsCheck
          tally={form.tally}
          isThoughtOf={form.isThoughtOf}
          isMissing={form.isThoughtMissing}
          onChange={form.setThoughtOf}
        />
      )}
      <FormProblem text={problem} />
    </form>
  )
}
