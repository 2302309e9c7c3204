/** Who signs in. */
export interface PeerUser {
  /** `ada@example.com` unless given. */
  readonly email?: string;
  /** The e-mail address unless given. */
  readonly subject?: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
}

export interface PeerBehaviour {
  readonly user?: PeerUser;
  /** The user presses "no". */
  readonly denies?: boolean;
}

export interface PeerOptions {
  readonly redirectUris: readonly string[];
}

/** An identity provider on loopback with one client, the gateway. */
export interface IdentityProviderPeer extends AsyncDisposable {
  /** As the gateway is told it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How it behaves from now on. */
  behave(behaviour: PeerBehaviour): void;
}
