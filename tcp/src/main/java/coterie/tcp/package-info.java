// SPDX-License-Identifier: Apache-2.0

/// The conduit over TCP, which needs the JDK alone: [coterie.tcp.TcpProvider].
///
/// ```
///  TcpChannel ─► TcpRequests ─► SendStream ── messages, bytes ──► ReceiveStream of the peer ─► its memory
///                               ReceiveStream ◄── answers ─────── SendStream of the peer
///  TcpEngine     the lock, progress, connections, lost peers
///  TcpAgent      progress while the program computes
///  Admission     connections before both ends have proved the secret of the job
/// ```
///
/// Where the setting ENCRYPTION is tls, the streams and the admission use a [coterie.spi.EncryptedChannel] in place of
/// the socket: decision 0082.
///
/// One connection joins two PEs. The receiver applies its messages in order, with the processor's atomics for
/// words: decision 0080.
@NullMarked
package coterie.tcp;

import org.jspecify.annotations.NullMarked;
