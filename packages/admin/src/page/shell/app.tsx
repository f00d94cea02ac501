import { QueryClientProvider } from '@tanstack/react-query'
import { Component, lazy, type ReactNode, Suspense, useState } from 'react'
import { Route, Router, Switch } from 'wouter'
import { base } from '../api/http.ts'
import { queries } from '../api/query-client.ts'
import { useSubmit } from '../api/use-submit.ts'
import { Button } from '../components/button.tsx'
import { Confirm } from '../components/dialog.tsx'
import { Page } from '../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx'
import { useToasts } from '../components/toast.tsx'
import { hasDrafts } from '../drafts/draft-store.ts'
import { AccountContext } from '../drafts/use-draft.ts'
import { Overview } from '../screens/overview/overview.tsx'
import { useSession } from './session.ts'
import { Shell } from './shell.tsx'
import { SignIn, SignInAgain } from './sign-in.tsx'

const Start = lazy(() => import('../screens/start/start.tsx'))
const Schema = lazy(() => import('../screens/schema/schema.tsx'))
const Data = lazy(() => import('../screens/data/data.tsx'))
const Query = lazy(() => import('../screens/query/query.tsx'))
const Actions = lazy(() => import('../screens/actions/actions.tsx'))
const Metrics = lazy(() => import('../screens/metrics/metrics.tsx'))
const Permissions = lazy(() => import('../screens/permissions/permissions.tsx'))
const PermissionDetail = lazy(() => import('../screens/permissions/permission-detail.tsx'))
const Explain = lazy(() => import('../screens/explain/explain.tsx'))
const Users = lazy(() => import('../screens/accounts/users.tsx'))
const Sessions = lazy(() => import('../screens/accounts/sessions.tsx'))
const ApiKeys = lazy(() => import('../screens/accounts/api-keys.tsx'))
const Outbox = lazy(() => import('../screens/accounts/outbox.tsx'))
const Audit = lazy(() => import('../screens/audit/audit.tsx'))
const Connections = lazy(() => import('../screens/connections/connections.tsx'))
const Revisions = lazy(() => import('../screens/revisions/revisions.tsx'))
const WireConnections = lazy(() => import('../screens/wire/wire-connections.tsx'))
const Settings = lazy(() => import('../screens/settings/settings.tsx'))
const Configuration = lazy(() => import('../screens/configuration/configuration.tsx'))

export function App(): ReactNode {
  return (
    <QueryClientProvider client={queries}>
      <Pages />
    </QueryClientProvider>
  )
}

function Pages(): ReactNode {
  const { state, signIn, signOut } = useSession()
  const { failed } = useToasts()
  const [isAsking, setAsking] = useState(false)
  const leaving = useSubmit({
    send: (_, signal) => signOut(signal),
    onDone: () => setAsking(false),
    onFailed: ({ message }) => failed('You are still signed in', message),
  })
  if (state.kind === 'unknown') return <div aria-busy="true" />
  if (state.kind === 'signed-out') return <SignIn reason={state.reason} onSignIn={signIn} />
  const { account } = state.session
  const signOutOrAsk = () => (hasDrafts(account) ? setAsking(true) : leaving.run())
  return (
    <AccountContext key={account} value={account}>
      <Router base={base === '' ? '' : base}>
        <Shell onSignOut={signOutOrAsk}>
          <Guard>
            <Suspense fallback={<Loading />}>
              <Screens />
            </Suspense>
          </Guard>
        </Shell>
      </Router>
      <Confirm
        isOpen={isAsking}
        title="Sign out and drop unsaved changes?"
        text="Some forms were edited and not saved. Nothing of them is left in this tab afterwards."
        action="Sign out"
        isBusy={leaving.isPending}
        onConfirm={() => leaving.run()}
        onClose={() => setAsking(false)}
      />
      {state.hasEnded && <SignInAgain onSignIn={signIn} />}
    </AccountContext>
  )
}

function Screens(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={Overview} />
      <Route path="/start/:step?" component={Start} />
      <Route path="/schema/:connection?/:table?" component={Schema} />
      <Route path="/data/:connection?/:table?" component={Data} />
      <Route path="/query" component={Query} />
      <Route path="/permissions" component={Permissions} />
      <Route path="/permissions/:name" component={PermissionDetail} />
      <Route path="/new-permission" component={PermissionDetail} />
      <Route path="/explain" component={Explain} />
      <Route path="/users" component={Users} />
      <Route path="/sessions" component={Sessions} />
      <Route path="/api-keys" component={ApiKeys} />
      <Route path="/outbox" component={Outbox} />
      <Route path="/actions/:name?" component={Actions} />
      <Route path="/metrics" component={Metrics} />
      <Route path="/audit" component={Audit} />
      <Route path="/connections" component={Connections} />
      <Route path="/wire-connections" component={WireConnections} />
      <Route path="/revisions" component={Revisions} />
      <Route path="/settings/:section?" component={Settings} />
      <Route path="/configuration" component={Configuration} />
      <Route>
        <EmptyState title="There is no such page">
          The address may be old. Press <kbd>Ctrl K</kbd> to find what you look for.
        </EmptyState>
      </Route>
    </Switch>
  )
}

function Loading(): ReactNode {
  return (
    <Page title={<Skeleton lines={1} height={28} />}>
      <Skeleton lines={6} />
    </Page>
  )
}

/** Shows an error of a screen instead of an empty page. React has no other form for this. */
class Guard extends Component<
  { readonly children: ReactNode },
  { readonly error: Error | undefined }
> {
  override state: { readonly error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <Page
        title="Something failed"
        actions={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        <ErrorState title="This screen cannot be shown" error={error} />
      </Page>
    )
  }
}
