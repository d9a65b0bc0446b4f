/** Says what went wrong, aloud too. */
export function FormProblem({ text }: { text: string | null }) {
  return (
    <div role="alert" className="contents">
      {text !== null && <p className="rounded-md bg-danger-soft px-3 py-2 text-sm text-danger-ink">{text}</p>}
    </div>
  )
}
