import { type ReactNode, useId } from 'react'

type Attributes = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }
type FieldProps = {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** Gets the attributes that tie the control to its label, hint and error. */
  children: (attributes: Attributes) => ReactNode
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': note ? `${id}-note` : undefined })}
      {note && (
        <p id={`${id}-note`} className={error ? 'text-xs text-danger' : 'text-xs text-mute'}>
          {note}
        </p>
      )}
    </div>
  )
}
